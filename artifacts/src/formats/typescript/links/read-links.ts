/** Reads the links of a program. */
import type { ImportDeclaration, Program } from 'oxc-parser'
import type { ExportLink, ImportLink, ModuleLinks } from '../../module-links.ts'
import { readExports } from './read-exports.ts'
import { readWholes } from './read-wholes.ts'
import { toExportName, toWordSpan, type Word } from './words.ts'

export function readLinks(program: Program): ModuleLinks {
  const imports: ImportLink[] = []
  const exports: ExportLink[] = []
  for (const statement of program.body) {
    if (statement.type === 'ImportDeclaration') imports.push(...readImports(statement))
    else if (
      statement.type === 'TSImportEqualsDeclaration' &&
      statement.moduleReference.type === 'TSExternalModuleReference'
    ) {
      const { id, moduleReference } = statement
      const from = moduleReference.expression.value
      imports.push({ from, name: null, nameSpan: null, ...toLocal(id) })
    }
    exports.push(...readExports(statement))
  }
  return { imports, exports, ...readWholes(program) }
}

function readImports({ source, specifiers }: ImportDeclaration): readonly ImportLink[] {
  return specifiers.map((specifier): ImportLink => {
    const link = { from: source.value, ...toLocal(specifier.local) }
    if (specifier.type === 'ImportSpecifier')
      return { ...link, ...toExportName(specifier.imported) }
    const name = specifier.type === 'ImportDefaultSpecifier' ? 'default' : null
    return { ...link, name, nameSpan: null }
  })
}

function toLocal(id: Word): Pick<ImportLink, 'local' | 'localSpan'> {
  return { local: id.name, localSpan: toWordSpan(id) }
}
