/**
 * Style as a test. The rules are data, and each carries a bad sample that it must catch: a rule that
 * has stopped working fails as loudly as a file that breaks it. The walls are in `scripts/walls.ts`.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { listDoubleCasts, listNamesWithoutVerb } from './scripts/house/measure.ts'
import { extractCode, findLongFunctions, listNamedModules } from './scripts/source-text.ts'
import { findBrokenWalls, isBelow, PACKAGES } from './scripts/walls.ts'

/** Path → text. */
type Tree = ReadonlyMap<string, string>
type Applies = (path: string) => boolean

type Rule = {
  readonly name: string
  /** One line a violation, beginning with the path. */
  readonly find: (tree: Tree) => readonly string[]
  /** Small trees, each of which it must find something in. */
  readonly bad: readonly Readonly<Record<string, string>>[]
}

const FILE_LINES = 300
const TEST_LINES = 500
const FUNCTION_LINES = 70
const MAP_ROWS = 20
const DECISIONS = 'docs/decisions/'
const CHANGES_LINES = 170
/** Of an item, in characters: two lines, and their links. */
const CHANGE_LENGTH = 420
/** It may shrink, not grow. */
const NAMES_WITHOUT_VERB = 99

/** A ratchet: these may shrink, not grow. A name is added with its reason. */
const LONG: Readonly<Record<string, number>> = {
  // A table, and one line of text for each of its cells.
  'kernel/src/reason.ts': 1400,
  // One class each, behind a port of some forty calls.
  'runtime/src/adapters/memory/store.ts': 370,
  'runtime/src/adapters/postgres/store.ts': 370,
  'runtime/src/adapters/sqlite/store.ts': 370,
  // Every limit, in its one place.
  'kernel/src/limits.ts': 610,
  // A call of every verb.
  'server/src/cli/schemas.test.ts': 540,
  // Made from the API document.
  'agents/src/generated.ts': 5500,
}

const isTest: Applies = (path) =>
  /\.(test|test-support|conformance)\.ts$|\/testing\.ts$|\/conformance\//.test(path)
const isSource: Applies = (path) => /\.tsx?$/.test(path)
const isProse: Applies = (path) => path.endsWith('.md')
const isKernel: Applies = (path) => isBelow(path, 'kernel/src') && isSource(path) && !isTest(path)
const isProduction: Applies = (path) =>
  /^(kernel|verifier|runtime|console)\/src\//.test(path) && !isTest(path)
const everything: Applies = () => true

/** What the kernel may not name; what it uses instead; a line that must be caught. */
const BANNED: readonly (readonly [RegExp, string, string])[] = [
  [/\bDate\b/, 'canonical/time.ts, on a time that was passed in', 'const now = Date.now()'],
  [/\bMath\.random\b|\bcrypto\b/, 'randomness that was passed in', 'const x = Math.random()'],
  [/\bprocess\b|\bglobalThis\b/, 'an argument', 'const ci = process.env.CI'],
  [/\bperformance\b|\bset(Timeout|Interval|Immediate)\b/, 'a time passed in', 'setTimeout(f, 1)'],
  [/\b(async|await|Promise)\b/, 'a synchronous function: only ports await', 'await save()'],
  [/\bfetch\b|\bconsole\b/, 'a result that the engine acts on', 'fetch(url)'],
  [/\bIntl\b|\.(toL|l)ocale\w+/, 'the order of code units', 'a.localeCompare(b)'],
  [/\.normalize\(|\.to(Low|Upp)erCase\(/, 'the bytes as they came', 'key.toLowerCase()'],
  [/\bRegExp\b|\.(match|matchAll|search)\(/, 'character codes', 'text.match(pattern)'],
  [
    /\bMath\.(a?(sin|cos|tan)h?|atan2|exp|expm1|log\w*|pow|sqrt|cbrt|hypot)\b/,
    'decimals',
    'Math.exp(1)',
  ],
  [/\bparseFloat\b|\.toFixed\(/, 'canonical/decimal.ts', 'price.toFixed(2)'],
]

const unfinished = ['TO', 'FIX'].map((start) => `${start}${start === 'TO' ? 'DO' : 'ME'}`)
const machine = ['work', 'root', 'home'].map((name) => `/${name}/`)
const hosts = ['npmjs', 'yarnpkg', 'npmmirror'].map((name) => `registry.${name}`)

function each(
  tree: Tree,
  applies: Applies,
  find: (path: string, text: string) => readonly string[],
): readonly string[] {
  return [...tree].flatMap(([path, text]) =>
    applies(path) ? find(path, text).map((problem) => `${path}: ${problem}`) : [],
  )
}

/** A rule on single lines: of the code alone, or of all that is written. */
function lines(applies: Applies, pattern: RegExp, says: string, view = extractCode): Rule['find'] {
  const marked = (line: string, index: number): readonly string[] =>
    pattern.test(line) ? [`${says} (line ${index + 1})`] : []
  return (tree) => each(tree, applies, (_, text) => view(text).split('\n').flatMap(marked))
}

const written = (text: string): string => text

function anyOf(words: readonly string[], before = ''): RegExp {
  return new RegExp(`${before}(${words.map((word) => word.replaceAll('.', '\\.')).join('|')})`)
}

function deadFiles(tree: Tree): readonly string[] {
  const named = new Set<string>(Object.values(PACKAGES))
  for (const [path, text] of tree) {
    for (const module of listNamedModules(text)) named.add(normalize(join(dirname(path), module)))
  }
  const isEntry: Applies = (path) =>
    isTest(path) || /^(scripts|examples)\/|^console\/src\/main\.tsx$/.test(path)
  const isDead = (path: string): boolean => !named.has(path) && !isEntry(path)
  return each(tree, isSource, (path) => (isDead(path) ? ['is used by nobody'] : []))
}

function deadLinks(tree: Tree): readonly string[] {
  const paths = [...tree.keys()]
  return each(tree, isProse, (path, text) => {
    const prose = text.replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, '')
    const links = [...prose.matchAll(/\]\(([^)\s#]+)/g)].map(([, link = '']) => link)
    const local = links.filter((link) => !/^[a-z]+:/.test(link))
    const broken = local.filter((link) => {
      const target = normalize(join(dirname(path), link)).replace(/\/$/, '')
      return !paths.some((one) => isBelow(one, target))
    })
    return broken.map((link) => `links to \`${link}\``)
  })
}

/** What the map names is there: from the root, by the name of a package, or somewhere below a folder. */
function lostPlaces(tree: Tree): readonly string[] {
  const paths = [...tree.keys()]
  const isThere = (place: string): boolean => {
    // `NN-name` stands for any stage.
    const wanted = place.replace('NN-name', '03-window').replace(/\/$/, '')
    const isFromRoot = paths.some((path) => isBelow(path, wanted.split('/')[0] ?? ''))
    return isFromRoot
      ? paths.some((path) => isBelow(path, wanted))
      : Object.hasOwn(PACKAGES, wanted) || paths.some((path) => `/${path}/`.includes(`/${wanted}/`))
  }
  return each(
    tree,
    (path) => path === 'ARCHITECTURE.md',
    (_, text) => {
      const named = [...text.matchAll(/`([\w.-]+\/[\w./-]*|[\w.-]+\.(?:ts|py|md))`/g)]
      const folders = [...text.matchAll(/^([a-z]+\/) {2,}\S/gm)]
      return [...named, ...folders]
        .map(([, place = '']) => place)
        .filter((place) => !isThere(place))
        .map((place) => `names \`${place}\`, which is not there`)
    },
  )
}

/** Of `## Where is …?`: what folders say by themselves needs no row. */
function longMap(tree: Tree): readonly string[] {
  return each(
    tree,
    (path) => path === 'ARCHITECTURE.md',
    (_, text) => {
      const [, part = ''] = text.split(/^## Where is.*$/m)
      const [, , ...rows] = part.split('\n').filter((line) => line.startsWith('|'))
      return rows.length > MAP_ROWS
        ? [`\`Where is …?\` has ${rows.length} rows, at most ${MAP_ROWS}`]
        : []
    },
  )
}

/** What is not released yet is read by whoever upgrades: an item says what changed, and a guide says the rest. */
function longChanges(tree: Tree): readonly string[] {
  return each(
    tree,
    (path) => path === 'CHANGELOG.md',
    (_, text) => {
      const [, section = ''] = text.split(/^## /m)
      const lines = section.trimEnd().split('\n').length
      const items = section.split(/^(?=- |#|$)/m).filter((part) => part.startsWith('- '))
      return [
        ...(lines > CHANGES_LINES
          ? [`the newest section has ${lines} lines, at most ${CHANGES_LINES}`]
          : []),
        ...items
          .filter((item) => item.trim().length > CHANGE_LENGTH)
          .map((item) => `\`${item.slice(0, 40)}…\` has more than ${CHANGE_LENGTH} characters`),
      ]
    },
  )
}

/** The index has one row a decision, which says too whether a later one replaces a part of it. */
function unlistedDecisions(tree: Tree): readonly string[] {
  const index = (tree.get(`${DECISIONS}README.md`) ?? '').split('\n')
  const applies: Applies = (path) => path.startsWith(DECISIONS) && /\/\d{4}-/.test(path)
  return each(tree, applies, (path, text) => {
    const rows = index.filter(
      (line) => line.startsWith('| [') && line.includes(`](${basename(path)}) |`),
    )
    const [row = ''] = rows
    if (rows.length !== 1) return [`has ${rows.length} rows in the index`]
    const isSaid = row.includes('*Superseded')
    return /^\*\*Superseded/m.test(text) === isSaid ? [] : ['is superseded in one place only']
  })
}

function longFiles(tree: Tree): readonly string[] {
  return each(tree, isSource, (path, text) => {
    const length = text.split('\n').length - 1
    const most = LONG[path] ?? (isTest(path) ? TEST_LINES : FILE_LINES)
    return length > most ? [`has ${length} lines, at most ${most}`] : []
  })
}

function longBodies(tree: Tree): readonly string[] {
  // The client is a table of routes in one function, made from the API document.
  const isMade = (path: string): boolean => path === 'agents/src/generated.ts'
  const applies: Applies = (path) => isSource(path) && !isTest(path) && !isMade(path)
  return each(tree, applies, (_, text) =>
    findLongFunctions(text, FUNCTION_LINES).map(
      ({ line, lines: length }) => `a function of ${length} lines (line ${line})`,
    ),
  )
}

/** What a visitor writes would find what every object has: `constructor` is in each of them. */
function openTables(tree: Tree): readonly string[] {
  const applies: Applies = (path) =>
    /^(server\/src\/(http|people)|console\/src)\//.test(path) && isSource(path) && !isTest(path)
  const table = /^(?:export )?const (\w+): Readonly<Record<string, /gm
  return each(tree, applies, (_, text) =>
    [...text.matchAll(table)]
      .map(([, name = '']) => name)
      .filter((name) => text.includes(`${name}[`))
      .map((name) => `\`${name}\` is looked up by text: make it a Map`),
  )
}

/** Those that keep their names (docs/decisions/0057), together: a new one says which of them it replaces. */
function tooManyWithoutVerb(tree: Tree): readonly string[] {
  const found = [...tree].flatMap(([path, text]) =>
    isSource(path) && !isTest(path) ? listNamesWithoutVerb(path, text) : [],
  )
  return found.length > NAMES_WITHOUT_VERB ? found : []
}

function castsIn(path: string, text: string): readonly string[] {
  return isSource(path) && !isTest(path) ? listDoubleCasts(path, text) : []
}

/** The kernel's index is made of those of its folders, each of which names what it has (docs/decisions/0070). */
function namelessExports(tree: Tree): readonly string[] {
  const ofFolder = /^export \* from '\.\/[a-z]+\/index\.ts'$/
  return each(tree, isSource, (path, text) => {
    const found = extractCode(text).split('\n')
    return text.split('\n').flatMap((line, index) => {
      const isNameless = /^export (\*|default)/.test(found[index] ?? '')
      const isMadeOfFolders = path === 'kernel/src/index.ts' && ofFolder.test(line)
      return isNameless && !isMadeOfFolders ? [`exports without names (line ${index + 1})`] : []
    })
  })
}

/** A slot of a file, of which the other is read when one is torn; and a few bytes for a pipe. */
const WRITTEN_IN_PLACES = [
  'runtime/src/adapters/sqlite/remains.ts',
  'runtime/src/adapters/system/head-file.ts',
  'scenarios/src/idempotency-child.ts',
]

const NAMES = /(^|\/)(utils?|helpers?|common|types?)(\.test)?\.tsx?$/

const RULES: readonly Rule[] = [
  {
    name: 'tables that text from outside is looked up in are maps',
    find: openTables,
    bad: [
      {
        'server/src/http/a.ts':
          'const NAMES: Readonly<Record<string, number>> = { a: 1 }\nexport const b = NAMES[word]',
      },
    ],
  },
  {
    name: 'the walls stand',
    find: (tree) => each(tree, isSource, (path, text) => findBrokenWalls(path, text, isTest(path))),
    bad: [
      { 'runtime/src/engine/a.ts': "import { b } from '../adapters/memory/b.ts'" },
      { 'runtime/src/engine/rows/a.ts': "import { b } from '../flow/b.ts'" },
      { 'runtime/src/engine/rows/a.ts': "import { b } from '../engine.ts'" },
      { 'runtime/src/engine/rows/a.ts': "import { b } from '../unlisted/b.ts'" },
      { 'verifier/src/authority/a.ts': "import { b } from '../approvals/b.ts'" },
      { 'verifier/src/bundle/a.ts': "import { b } from '../audit.ts'" },
      { 'server/src/http/problems/a.ts': "import { b } from '../routes/b.ts'" },
      { 'server/src/people/a.ts': "import { b } from '../http/server.ts'" },
      { 'server/src/http/a.ts': "import { b } from '../cli/b.ts'" },
      { 'server/src/cli/a.ts': "import { b } from '../../../kernel/src/b.ts'" },
      { 'server/src/cli/a.ts': "import { b } from 'rubicon-sim'" },
      { 'sim/src/auditor.ts': "import { compile } from 'rubicon-kernel'" },
      { 'kernel/src/a.ts': "import { readFileSync } from 'node:fs'" },
    ],
  },
  ...BANNED.map(([pattern, instead, sample]) => ({
    name: `the kernel does not say \`${sample}\``,
    find: lines(isKernel, pattern, `banned call; use ${instead}`),
    bad: [{ 'kernel/src/a.ts': sample }],
  })),
  {
    name: 'the kernel has no regular expressions of its own',
    find: lines(
      isKernel,
      /(^|[=(,:?&|!]\s*)\/[^/*\s].*\/[a-z]*[.,);\s]/,
      'a regular expression',
      commentless,
    ),
    bad: [{ 'kernel/src/a.ts': 'const digits = /[0-9]+/.test(text)' }],
  },
  {
    name: 'exports have names',
    find: namelessExports,
    bad: [
      { 'kernel/src/a.ts': "export * from './b.ts'" },
      { 'kernel/src/a.ts': "export * from './b/index.ts'" },
      { 'kernel/src/index.ts': "export * from './b.ts'" },
      { 'kernel/src/a.ts': 'export default 1' },
    ],
  },
  {
    name: 'no enum',
    find: lines(isSource, /^\s*(export |const |declare )*enum /, 'an enum; use a union'),
    bad: [{ 'kernel/src/a.ts': 'export enum Colour { Red }' }],
  },
  {
    name: 'a double cast stands in a `parse` function only',
    find: (tree) => [...tree].flatMap(([path, text]) => castsIn(path, text)),
    bad: [{ 'kernel/src/a.ts': 'function readRow() {\n  return row as unknown as Row\n}' }],
  },
  {
    name: 'functions begin with a verb',
    find: tooManyWithoutVerb,
    bad: [{ 'kernel/src/a.ts': 'function misfit() {}\n'.repeat(NAMES_WITHOUT_VERB + 1) }],
  },
  {
    name: 'files are named after what they hold',
    find: (tree) => each(tree, isSource, (path) => (NAMES.test(path) ? ['says nothing'] : [])),
    bad: [{ 'kernel/src/utils.ts': '' }],
  },
  {
    name: 'nothing is left unfinished',
    find: lines(everything, anyOf(unfinished, '\\b'), 'is unfinished', written),
    bad: [{ 'kernel/src/a.ts': `// ${unfinished[0]}: later` }],
  },
  {
    name: 'no test is switched off or alone',
    find: lines(isSource, /\b(test|it|describe)\.(only\(|(skip|todo)\(.*,)/, 'a test switched'),
    bad: [{ 'kernel/src/a.test.ts': "test.only('a', run)" }],
  },
  { name: 'no file is dead', find: deadFiles, bad: [{ 'kernel/src/a.ts': 'let a = 1' }] },
  { name: 'links lead somewhere', find: deadLinks, bad: [{ 'docs/a.md': '[b](../b.md)' }] },
  {
    name: 'what ARCHITECTURE.md names is there',
    find: lostPlaces,
    bad: [
      { 'ARCHITECTURE.md': 'see `kernel/src/b.ts`', 'kernel/src/a.ts': '' },
      { 'ARCHITECTURE.md': 'see `rooms/` and `b/`', 'kernel/src/rooms/a.ts': '' },
      { 'ARCHITECTURE.md': 'see `b.ts`', 'kernel/src/a.ts': '' },
      { 'ARCHITECTURE.md': 'see `rubicon-kernel/nowhere`' },
      { 'ARCHITECTURE.md': '```\ngone/     the past\n```' },
    ],
  },
  {
    name: 'the map of ARCHITECTURE.md is short',
    find: longMap,
    bad: [{ 'ARCHITECTURE.md': `## Where is …?\n\n${'| a | b |\n'.repeat(MAP_ROWS + 3)}` }],
  },
  {
    name: 'what is not released yet is told in short items',
    find: longChanges,
    bad: [
      { 'CHANGELOG.md': `# Changelog\n\n## Unreleased\n${'- a\n'.repeat(CHANGES_LINES)}` },
      { 'CHANGELOG.md': `# Changelog\n\n## Unreleased\n\n- ${'a'.repeat(CHANGE_LENGTH)}\n` },
    ],
  },
  {
    name: 'every decision is in the index',
    find: unlistedDecisions,
    bad: [
      { 'docs/decisions/0001-a.md': '# 0001 A' },
      {
        'docs/decisions/0001-a.md': '# 0001 A\n\n**Superseded in part by [0002](0002-b.md)**',
        'docs/decisions/README.md': '| [0001](0001-a.md) | A | A is so. |',
      },
    ],
  },
  {
    name: 'files are short',
    find: longFiles,
    bad: [{ 'kernel/src/a.ts': 'a\n'.repeat(FILE_LINES + 1) }],
  },
  {
    name: 'functions are short',
    find: longBodies,
    bad: [{ 'kernel/src/a.ts': `function a(): void {\n${'b()\n'.repeat(FUNCTION_LINES)}}\n` }],
  },
  {
    name: 'no production code makes mistakes on purpose',
    find: lines(
      isProduction,
      /isPlanted|RUBICON_P(LANTED|ATCH)|sim\/src\/patches/,
      'a mistake',
      written,
    ),
    bad: [{ 'runtime/src/a.ts': "if (isPlanted('b')) return" }],
  },
  {
    name: 'files are written whole',
    find: lines(
      (path) => isProduction(path) && !WRITTEN_IN_PLACES.includes(path),
      /\bwriteSync\(/,
      'may write a part and say so to nobody; use writeFileSync, also on a descriptor',
    ),
    bad: [{ 'runtime/src/a.ts': 'writeSync(file, text)' }],
  },
  {
    name: 'no path of one machine',
    find: lines(everything, anyOf(machine, '(^|[\\s\'"`(=:])'), 'a machine path', written),
    bad: [{ 'docs/a.md': `see ${machine[0]}main` }],
  },
  {
    name: 'no host of a package registry',
    find: lines(everything, anyOf(hosts), 'a registry host', written),
    bad: [{ '.npmrc': `registry=https://${hosts[0]}.org/` }],
  },
]

/** Comments blanked, the rest as written. */
function commentless(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, (part) =>
    part.replaceAll(/[^\n]/g, ' '),
  )
}

const ROOT = import.meta.dirname

function readTree(): Tree {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT })
  const paths = listed.toString().split('\n')
  const files = paths.filter((path) => path !== '' && existsSync(join(ROOT, path)))
  return new Map(files.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]))
}

const repository = readTree()

for (const { name, find, bad } of RULES) {
  test(name, () => {
    for (const sample of bad) {
      assert.notDeepEqual(find(new Map(Object.entries(sample))), [], 'it catches its bad sample')
    }
    assert.deepEqual(find(repository), [])
  })
}

test('no exception outlives its file', () => {
  for (const path of Object.keys(LONG)) assert.ok(repository.has(path), `${path} is gone`)
})
