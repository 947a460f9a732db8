/*
 * listening_socket.h - a socket that accepts connections at an address
 */
#ifndef LISTENING_SOCKET_H
#define LISTENING_SOCKET_H

#include "fault.h"

/*
 * Opens a socket at "HOST:PORT", "[IPV6]:PORT" or "PORT", which stands for
 * 127.0.0.1:PORT.  The system chooses port 0.  Returns -1 and a reason if the
 * address is not valid or cannot be used.
 */
int listening_socket_open(const char *address, struct fault *why);

/* Writes the address of a socket in one of these forms.  Returns out. */
enum { LISTENING_SOCKET_TEXT = 80 };
const char *listening_socket_address(char out[LISTENING_SOCKET_TEXT], int fd);

#endif
