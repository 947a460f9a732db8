/*
 * listen_option.c - begins to serve metrics and health over HTTP: --listen
 */
#include "listen_option.h"

#include <stdlib.h>
#include <string.h>

#include "command.h"

int listen_from_option(struct metrics_server **server, const char *address)
{
    const char *colon = address ? strrchr(address, ':') : NULL;
    struct fault why;

    if (!address)
        return CLI_GO;
    *server = metrics_server_open(address, &why);
    if (!*server)
        return cli_fail("--listen: %s", why.text);
    if (strtoul(colon ? colon + 1 : address, NULL, 10) == 0)
        cli_fail("listening on http://%s", metrics_server_address(*server));
    return CLI_GO;
}
