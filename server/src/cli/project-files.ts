/** The files of a new project: those of `examples/first-agent`, and a manifest with this version of the packages. */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { assert } from 'rubicon-kernel'
import { CliFailure } from './failure.ts'
import { readVersion } from './version.ts'

export type ProjectFile = { readonly name: string; readonly text: string }

/** Beside the package, or in the repository. */
const PLACES: readonly string[] = ['../../project/', '../../../examples/first-agent/']

/** There → in the project. npm packs no file that is called `.gitignore`. */
const COPIED: Readonly<Record<string, string>> = {
  'README.md': 'README.md',
  'contract.yaml': 'contract.yaml',
  'refund.ts': 'refund.ts',
  'rules.ts': 'rules.ts',
  'agent.ts': 'agent.ts',
  'start.ts': 'start.ts',
  'agent.test.ts': 'agent.test.ts',
  gitignore: '.gitignore',
}

/** What a project imports, and the command. */
const IMPORTED = ['rubicon-agents', 'rubicon-runtime', 'rubicon-server']
/** What these need beside them, where no registry has it. */
const BESIDE = ['rubicon-kernel', 'rubicon-verifier', 'rubicon-artifacts', 'rubicon-mcp']
const PUBLISHED = [...BESIDE, ...IMPORTED]

/** npm takes longer ones for a mistake. */
const NAME_LENGTH = 100

/** `packages`: the folder of their tarballs, in place of a registry. */
export function buildProjectFiles(
  folderName: string,
  packages: string | undefined,
): readonly ProjectFile[] {
  const manifest = {
    name: toPackageName(folderName),
    version: '1.0.0',
    private: true,
    type: 'module',
    scripts: { start: 'node start.ts', dev: 'rubicon dev', test: 'node --test' },
    dependencies: packages === undefined ? listVersions() : listTarballs(resolve(packages)),
  }
  const template = findTemplate()
  const copied = Object.entries(COPIED).map(([from, name]) => ({
    name,
    text: readFileSync(join(template, from), 'utf8'),
  }))
  return [{ name: 'package.json', text: `${JSON.stringify(manifest, null, 2)}\n` }, ...copied]
}

/** A name that npm takes, and that is none of the packages that the project needs. */
export function toPackageName(folderName: string): string {
  const plain = folderName
    .toLowerCase()
    .slice(0, NAME_LENGTH)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  if (plain === '') return 'my-agent'
  return PUBLISHED.includes(plain) ? `my-${plain}` : plain
}

function findTemplate(): string {
  const places = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url)))
  const found = places.find((place) => existsSync(place))
  assert(found !== undefined, 'the files of a project are part of the package')
  return found
}

function listVersions(): Readonly<Record<string, string>> {
  const version = readVersion()
  return Object.fromEntries(IMPORTED.map((name) => [name, version]))
}

function listTarballs(folder: string): Readonly<Record<string, string>> {
  if (!existsSync(folder))
    throw new CliFailure({
      code: 'PACKAGES_MISSING',
      summary: `there is no folder \`${folder}\``,
      fix: 'check --packages; `npm run packages` in a clone of the repository makes its `dist/packages`',
    })
  const version = readVersion()
  const paths = PUBLISHED.map((name) => [name, join(folder, `${name}-${version}.tgz`)] as const)
  const missing = paths.filter(([, path]) => !existsSync(path)).map(([name]) => name)
  if (missing.length > 0)
    throw new CliFailure({
      code: 'PACKAGES_MISSING',
      summary: `\`${folder}\` has no tarball of ${missing.join(', ')} ${version}`,
      why: 'the project would be made of other packages than those of this command',
      fix: 'run `npm run packages` in a clone of the repository, and name its `dist/packages`',
    })
  return Object.fromEntries(paths.map(([name, path]) => [name, `file:${path}`]))
}
