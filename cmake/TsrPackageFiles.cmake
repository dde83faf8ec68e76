# Run by cpack twice. The same sources give the same bytes (SOURCE_DATE_EPOCH).
#
# After the packages are made (CPACK_PACKAGE_FILES), it removes the scripts that cpack adds to call ldconfig, since a trigger does.
foreach(package ${CPACK_PACKAGE_FILES})
  set(tree ${CPACK_TEMPORARY_DIRECTORY}/again)
  file(REMOVE_RECURSE ${tree})
  execute_process(COMMAND dpkg-deb -R ${package} ${tree} COMMAND_ERROR_IS_FATAL ANY)
  if(EXISTS ${tree}/DEBIAN/postinst AND EXISTS ${tree}/DEBIAN/triggers)
    file(REMOVE ${tree}/DEBIAN/postinst ${tree}/DEBIAN/postrm)
    execute_process(COMMAND dpkg-deb --root-owner-group -b ${tree} ${package} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  endif()
  file(REMOVE_RECURSE ${tree})
endforeach()
if(CPACK_PACKAGE_FILES)
  return()
endif()

# Before, when the files of all packages stand in folders of their own, it compresses man pages, and gives each package a change log
# in Debian's form.
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(GLOB folders ${CPACK_TEMPORARY_DIRECTORY}/*/usr)
foreach(folder ${folders})
  file(GLOB files ${folder}/share/man/man*/*)
  file(GLOB licences ${folder}/share/doc/*/copyright)
  foreach(licence ${licences})
    cmake_path(GET licence PARENT_PATH doc)
    file(WRITE ${doc}/changelog "${CPACK_PACKAGE_NAME} (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * CHANGELOG.md of the package libtessera-dev lists the changes.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
    list(APPEND files ${doc}/changelog)
  endforeach()
  if(files)
    execute_process(COMMAND gzip -9 -n -f ${files} COMMAND_ERROR_IS_FATAL ANY)
  endif()
endforeach()
