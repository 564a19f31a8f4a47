// SPDX-License-Identifier: MIT
/* Reads up to the end that the server makes by ending: `short_client -v -v -p PORT WORD`. */
#include "transport.h"

#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    char address[32] = "", reply[64];
    ssize_t n, all = 0;
    int loud = 0;

    for (int option; (option = getopt(argc, argv, "p:v")) != -1;) {
        if (option == 'p')
            snprintf(address, sizeof(address), "tcp:%s", optarg);
        loud += option == 'v';
    }
    if (loud != 2 || optind != argc - 1)
        return 3;
    int fd = transport_connect(address);

    if (fd < 0 || write(fd, "hi", 2) != 2)
        return 4;
    while ((n = read(fd, reply, sizeof(reply))) > 0)
        all += n;
    return all == 6 ? 0 : 5;
}
