// Debian's libxml2 is built with ICU, whose headers clash with the ICU inside Foundation. Without
// ICU, the headers of libxml2 only omit fields at the end of a structure that is not used here.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED

#include <libxml/parser.h>
#include <libxml/SAX2.h>
#include <libxml/xmlerror.h>
#include <libxml/encoding.h>
#include <libxml/HTMLparser.h>
#include <iconv.h>
