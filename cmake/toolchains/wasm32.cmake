# WebAssembly for pages: clang compiles (a ninth of emcc's time a file) with the headers of Debian's emscripten; emcc links.
# Its cache is complete as it is installed and is only read.
set(CMAKE_SYSTEM_NAME Linux) # to CMake: a Unix with static libraries only
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET wasm32-unknown-emscripten)
set(CMAKE_AR llvm-ar)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_SYSROOT /usr/share/emscripten/cache/sysroot)
# setjmp and longjmp by exceptions of the page's script, which web/lab_worker.js catches: every browser has these.
set(CMAKE_C_FLAGS_INIT "-mllvm -enable-emscripten-sjlj")
# For size: steps and systems are not compiled again for each small number of states, and have the same bits.
set(GEARTRAIN_OPTIMIZE "-Oz -DNDEBUG" CACHE STRING "")
