# What of a build goes into the wheel, beside the package's own files: the extension, the command line and licences.
if(RATTLEBACK_PYTHON_FROM)
  set(python_extension ${RATTLEBACK_PYTHON_FROM}/bindings/python/rattleback/_core.abi3.so)
  set(python_program ${RATTLEBACK_PYTHON_FROM}/rattleback)
else()
  set(python_extension $<TARGET_FILE:python>)
  if(TARGET rattleback_cli)
    set(python_program $<TARGET_FILE:rattleback_cli>)
  endif()
endif()
install(FILES ${python_extension} DESTINATION rattleback COMPONENT python)
if(python_program)
  # Without its symbols: half the size.
  install(PROGRAMS ${python_program} DESTINATION rattleback/bin COMPONENT python)
  install(CODE "execute_process(COMMAND strip \"\${CMAKE_INSTALL_PREFIX}/rattleback/bin/rattleback\")" COMPONENT python)
endif()

# Texts of the libraries that a repaired wheel carries, where the distribution keeps them.
foreach(library libpng16-16 libpugixml1v5 libqhull-r8.0 libfmt9 zlib1g)
  if(EXISTS /usr/share/doc/${library}/copyright)
    install(FILES /usr/share/doc/${library}/copyright DESTINATION rattleback/licences RENAME ${library}.txt COMPONENT python)
  endif()
endforeach()
