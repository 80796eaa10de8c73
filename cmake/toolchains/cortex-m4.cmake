# A Cortex-M4 without an operating system: gcc-arm-none-eabi and newlib. Its unit for float does not do double, which is
# done by software, in IEEE arithmetic as everywhere.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_C_FLAGS_INIT "-mcpu=cortex-m4 -mthumb -mfloat-abi=soft -fno-short-enums")
