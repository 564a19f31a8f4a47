// SPDX-License-Identifier: MIT
// What most of the programs in C++ include: compiled once for all of them.  Nothing that puts an
// object into whoever includes it, as <iostream> does.
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
