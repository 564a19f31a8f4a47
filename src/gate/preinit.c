/* SPDX-License-Identifier: MIT */
/*
 * Deliberately empty.  gcc links an object of the name libtsan_preinit.o into
 * every executable built with -fsanitize=thread; this takes its place.
 */
