// The system's headers declare inet_aton only with this.
#define _GNU_SOURCE
#include "CCurl.h"
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/socket.h>

// Writes an IPv4 address as the equivalent IPv6 address: ::ffff:a.b.c.d.
static void map(const void *ipv4, unsigned char *bytes) {
  memset(bytes, 0, 10);
  bytes[10] = bytes[11] = 0xFF;
  memcpy(bytes + 12, ipv4, 4);
}

int ccurl_parse_address(const char *text, unsigned char *bytes) {
  struct in_addr ipv4;
  if (inet_pton(AF_INET6, text, bytes) == 1) return 1;
  if (inet_aton(text, &ipv4) == 0) return 0;
  map(&ipv4, bytes);
  return 1;
}

static int get_bytes(int family, const struct sockaddr *address, unsigned char *bytes) {
  switch (family) {
  case AF_INET:
    map(&((const struct sockaddr_in *)address)->sin_addr, bytes);
    return 1;
  case AF_INET6:
    memcpy(bytes, &((const struct sockaddr_in6 *)address)->sin6_addr, 16);
    return 1;
  default:
    return 0;
  }
}

int ccurl_socket_address(const struct curl_sockaddr *address, unsigned char *bytes) {
  return get_bytes(address->family, &address->addr, bytes);
}

void ccurl_own_addresses(
    void (*found)(const unsigned char *, const unsigned char *, void *), void *context) {
  struct ifaddrs *all = NULL;
  if (getifaddrs(&all) != 0) return;
  for (const struct ifaddrs *one = all; one; one = one->ifa_next) {
    unsigned char bytes[16], mask[16];
    const struct sockaddr *address = one->ifa_addr, *netmask = one->ifa_netmask;
    if (!address || !get_bytes(address->sa_family, address, bytes)) continue;
    if (address->sa_family != AF_INET6 || !netmask || !get_bytes(AF_INET6, netmask, mask)) {
      memset(mask, 0xFF, 16);
    } else if (mask[15] == 0xFF) {
      // An address that a server assigned (DHCPv6) names no network; such networks have 64 bits.
      memset(mask + 8, 0, 8);
    }
    found(bytes, mask, context);
  }
  freeifaddrs(all);
}

curl_socket_t ccurl_open_socket(const struct curl_sockaddr *address) {
  int type = address->socktype;
#ifdef SOCK_CLOEXEC
  // Programs that are started later must not inherit the connection.
  type |= SOCK_CLOEXEC;
#endif
  return socket(address->family, type, address->protocol);
}

const char *ccurl_environment(const char *name) { return getenv(name); }
