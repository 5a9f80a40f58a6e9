// Debian's libxml2 is built with ICU, whose headers clash with the ICU inside Foundation. They
// only add fields at the end of a structure that nobody here looks into.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED

#include <libxml/parser.h>
#include <libxml/SAX2.h>
#include <libxml/xmlerror.h>
#include <libxml/encoding.h>
#include <libxml/HTMLparser.h>
#include <iconv.h>
