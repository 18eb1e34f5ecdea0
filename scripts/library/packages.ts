/** The packages that a team imports, each with the page that lists what it exports. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../shell.ts'
import type { LibraryDeclaration } from './declaration.ts'
import { PackageReader } from './read-package.ts'
import { renderLibraryPage } from './render-page.ts'

type LibraryPackage = {
  readonly folder: string
  readonly name: string
  readonly intro: readonly string[]
}

const WRITTEN =
  'Written by `node scripts/docs-reference.ts` from the types and the sentences beside them in the source.'

const PACKAGES: readonly LibraryPackage[] = [
  {
    folder: 'agents',
    name: 'rubicon-agents',
    intro: [
      'What an agent is written with, in Node and in browsers ([the agent SDK](../guides/the-agent-sdk.md),',
      '[an agent over HTTP](../guides/an-agent-over-http.md)).',
    ],
  },
  {
    folder: 'runtime',
    name: 'rubicon-runtime',
    intro: [
      'The runtime as a library: what decides, and what acts ([getting started](../getting-started.md)).',
    ],
  },
  {
    folder: 'server',
    name: 'rubicon-server',
    intro: [
      'A runtime behind its server; what it answers over HTTP is in [HTTP](http.md), and its command in [commands](cli.md).',
    ],
  },
  {
    folder: 'verifier',
    name: 'rubicon-verifier',
    intro: [
      'Checks a ledger or a bundle without the runtime ([verifying a bundle](../guides/verifying-a-bundle.md)).',
    ],
  },
]

const KERNEL: LibraryPackage = {
  folder: 'kernel',
  name: 'rubicon-kernel',
  intro: [
    'What the other packages hand to a team, and take from it, in the types of the kernel, and what the guides import of it. The kernel',
    'exports more, for the packages of this repository; the [specification](../spec/README.md) is what holds of it.',
  ],
}

/** Path of each page → its text. */
export function renderLibraryPages(): Readonly<Record<string, string>> {
  const reader = new PackageReader(ROOT)
  try {
    const pages = PACKAGES.map((one) => ({ ...one, declarations: readIndex(reader, one.folder) }))
    const words = listTypeWords(pages.flatMap(({ declarations }) => declarations))
    const kernel = selectNamed(readIndex(reader, KERNEL.folder), words, listImported())
    return Object.fromEntries(
      [{ ...KERNEL, declarations: kernel }, ...pages].map(
        ({ name, folder, intro, declarations }) => [
          `docs/reference/library-${folder}.md`,
          renderLibraryPage({ title: name, intro: [...intro, '', WRITTEN], declarations }),
        ],
      ),
    )
  } finally {
    reader.close()
  }
}

function readIndex(reader: PackageReader, folder: string): readonly LibraryDeclaration[] {
  return reader.readModule(join(ROOT, folder, 'tsconfig.json'), join(ROOT, folder, 'src/index.ts'))
}

const WORD = /[A-Za-z_$][\w$]*/g
const IMPORT = /import (?:type )?\{([^}]*)\} from 'rubicon-kernel(?:\/[\w/-]+)?'/g

/** Every word in the types of these. */
function listTypeWords(declarations: readonly LibraryDeclaration[]): readonly string[] {
  return declarations
    .flatMap(({ text, members }) => [text, ...members.map((one) => one.text)])
    .flatMap((text) => text.match(WORD) ?? [])
}

/** What pages and examples import of the kernel. */
function listImported(): readonly string[] {
  return globSync(['docs/*.md', 'docs/guides/*.md', 'examples/**/*.ts'], { cwd: ROOT })
    .map((path) => readFileSync(join(ROOT, path), 'utf8'))
    .flatMap((text) =>
      [...text.matchAll(IMPORT)].flatMap(([, names = '']) => names.match(WORD) ?? []),
    )
}

/** The types that are named, those that these name in turn, and what is imported by name. */
function selectNamed(
  all: readonly LibraryDeclaration[],
  words: readonly string[],
  imported: readonly string[],
): readonly LibraryDeclaration[] {
  const wanted = new Set(words)
  for (let size = -1; size !== wanted.size; ) {
    size = wanted.size
    for (const one of all)
      if (one.kind === 'type' && wanted.has(one.name))
        for (const word of listTypeWords([one])) wanted.add(word)
  }
  return all.filter(
    ({ name, kind }) => imported.includes(name) || (kind === 'type' && wanted.has(name)),
  )
}
