/**
 * The first module of a published package that needs more than an old Node has. An import of a module
 * that does not exist fails before anything is run, so that the real module is loaded only after the
 * Node was looked at: whoever runs an app on an old one reads one line that says what to do.
 */
export function buildPackageEntry(name: string, index: string, wanted: number): string {
  const names = parseExportedNames(index)
  return [
    `if (Number.parseInt(process.versions.node, 10) < ${wanted})`,
    `  throw new Error(\`${name} needs Node ${wanted} or newer, and this is \${process.version}: run it with \\\`npx node FILE\\\`, or install Node ${wanted}\`)`,
    "const all = await import('./index.js')",
    ...names.map((one) => `export const ${one} = all.${one}`),
    '',
  ].join('\n')
}

/** As the compiler writes them: `export { a, b as c } from './d.js';` */
function parseExportedNames(index: string): readonly string[] {
  const names = [...index.matchAll(/export \{([^}]*)\}/g)].flatMap(([, list = '']) =>
    list.split(',').map((one) => one.trim().split(' as ').at(-1) ?? ''),
  )
  return names.filter((one) => one !== '')
}
