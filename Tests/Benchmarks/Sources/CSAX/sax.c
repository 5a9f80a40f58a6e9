#include "CSAX.h"

// Debian's libxml2 is built with ICU, whose headers are not everywhere.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <string.h>

static void start_element(
    void *user, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int namespaces,
    const xmlChar **declared, int attributes, int defaulted, const xmlChar **values) {
  *(size_t *)user += 1 + (size_t)attributes;
}

static void end_element(
    void *user, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri) {
  *(size_t *)user += 1;
}

static void characters(void *user, const xmlChar *text, int count) {
  *(size_t *)user += (size_t)count;
}

size_t sax_count(const char *bytes, size_t count) {
  size_t seen = 0;
  xmlSAXHandler handler;
  memset(&handler, 0, sizeof handler);
  handler.initialized = XML_SAX2_MAGIC;
  handler.startElementNs = start_element;
  handler.endElementNs = end_element;
  handler.characters = characters;
  handler.cdataBlock = characters;
  xmlParserCtxtPtr context = xmlCreatePushParserCtxt(&handler, &seen, NULL, 0, NULL);
  if(!context)
    return 0;
  xmlCtxtUseOptions(context, XML_PARSE_NONET);
  for(size_t start = 0; start < count; start += 1 << 20) {
    size_t left = count - start;
    xmlParseChunk(context, bytes + start, left < 1 << 20 ? (int)left : 1 << 20, 0);
  }
  xmlParseChunk(context, NULL, 0, 1);
  int is_well_formed = context->wellFormed;
  xmlFreeParserCtxt(context);
  return is_well_formed ? seen : 0;
}
