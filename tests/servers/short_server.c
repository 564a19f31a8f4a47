// SPDX-License-Identifier: MIT
/*
 * Serves one connection and ends, which closes it: `short_server -p PORT`.  It reads its options as
 * its client does, by variables of libc that each must have to itself.
 */
#include "transport.h"

#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    char address[32] = "", request[8];

    for (int option; (option = getopt(argc, argv, "p:")) != -1;) {
        if (option == 'p')
            snprintf(address, sizeof(address), "tcp:%s", optarg);
    }
    int listener = transport_listen(address);

    if (listener < 0) {
        perror(address);
        return 2;
    }
    int fd = accept(listener, NULL, NULL);

    if (read(fd, request, sizeof(request)) != 2)
        return 2;
    return write(fd, "abc", 3) == 3 && write(fd, "def", 3) == 3 ? 0 : 2;
}
