#pragma once
#include <chafa.h>
#include <gdk-pixbuf/gdk-pixbuf.h>

typedef void (*cpixbuf_on_size)(GdkPixbufLoader *loader, int width, int height, void *context);

// The macro that connects a handler is no function, and its handlers have no type.
static inline void cpixbuf_when_size_is_known(
    GdkPixbufLoader *loader, cpixbuf_on_size handler, void *context) {
  g_signal_connect_data(
      loader, "size-prepared", G_CALLBACK(handler), context, NULL, (GConnectFlags)0);
}

static inline int cpixbuf_is_out_of_memory(const GError *error) {
  return g_error_matches(error, GDK_PIXBUF_ERROR, GDK_PIXBUF_ERROR_INSUFFICIENT_MEMORY);
}

static inline void cpixbuf_release(void *object) {
  g_object_unref(object);
}
