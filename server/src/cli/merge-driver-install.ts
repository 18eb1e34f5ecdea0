/**
 * `rubicon merge-driver install|uninstall`: two entries of git's configuration, and a line of `.gitattributes` for each kind of file. What
 * somebody else has set stays; all that is changed is shown.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MERGED_FORMATS } from 'rubicon-artifacts'
import { type CommandCall, createUsageFailure } from './call.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { CliFailure } from './failure.ts'
import { type AttributeChange, addAttributeLines, removeAttributeLines } from './git-attributes.ts'
import { SYMBOLS } from './output.ts'

type GitPlace = {
  readonly scope: 'local' | 'global'
  readonly folder: string
  readonly attributes: string
}

const SECTION = 'merge.rubicon'
const RUN = 'merge-driver run -- %O %A %B %P %L'
const MERGE_LINES = [
  'echo "rubicon is not where it was, git merges lines: run \\`rubicon merge-driver install\\` again" >&2',
  'exec git merge-file --marker-size=%L -L ours -L base -L theirs %A %O %B',
].join('; ')
const GIT_MS = 10_000

export async function installMergeDriver(call: CommandCall): Promise<ExitCode> {
  const place = findPlace(call)
  const known = readConfig(place, `${SECTION}.driver`)
  if (known !== null && !known.endsWith(RUN))
    throw new CliFailure({
      code: 'MERGE_DRIVER_TAKEN',
      summary: `git has another \`${SECTION}.driver\`: \`${known}\``,
      fix: `remove it: git config --${place.scope} --unset ${SECTION}.driver`,
    })
  const change = addAttributeLines(readAttributes(place), listPatterns())
  const config = { [`${SECTION}.name`]: 'merge by symbols', [`${SECTION}.driver`]: createCommand() }
  for (const [key, value] of Object.entries(config))
    askGit(place, ['config', `--${place.scope}`, key, value])
  writeAttributes(place, change)
  report(call, place, 'install', config, change)
  return EXIT.done
}

export async function removeMergeDriver(call: CommandCall): Promise<ExitCode> {
  const place = findPlace(call)
  const known = readConfig(place, `${SECTION}.driver`)
  const isOurs = known?.endsWith(RUN) === true
  if (isOurs) askGit(place, ['config', `--${place.scope}`, '--remove-section', SECTION])
  const change = removeAttributeLines(readAttributes(place), listPatterns())
  writeAttributes(place, change)
  report(call, place, 'uninstall', isOurs ? { [`${SECTION}.driver`]: known } : {}, change)
  return EXIT.done
}

function findPlace({ options }: CommandCall): GitPlace {
  if (options.hasFlag('global') && options.hasFlag('local'))
    throw createUsageFailure('`--global` does not go with `--local`', 'leave one of them out')
  const folder = resolve(options.text('folder') ?? '.')
  const scope = options.hasFlag('global') ? 'global' : 'local'
  const place = { scope, folder, attributes: '' } as const
  if (scope === 'global') return { ...place, attributes: findGlobalAttributes(place) }
  const root = askGit(place, ['rev-parse', '--show-toplevel'])
  if (root === null || root === '')
    throw new CliFailure({
      code: 'NO_REPOSITORY',
      summary: `\`${folder}\` is in no git repository`,
      fix: 'run it in a repository, or with --global',
    })
  return { ...place, attributes: join(root, '.gitattributes') }
}

function findGlobalAttributes(place: GitPlace): string {
  const known = askGit(place, ['config', '--global', '--type=path', '--get', 'core.attributesFile'])
  const config = process.env.XDG_CONFIG_HOME ?? join(homedir(), '.config')
  return known ?? join(config, 'git', 'attributes')
}

function readConfig(place: GitPlace, key: string): string | null {
  return askGit(place, ['config', `--${place.scope}`, '--get', key])
}

/** Null: git says no. Throws where there is no git. */
function askGit({ folder }: GitPlace, args: readonly string[]): string | null {
  const { status, stdout, stderr, error } = spawnSync('git', args, {
    cwd: folder,
    timeout: GIT_MS,
    encoding: 'utf8',
  })
  const isQuestion = args.includes('--get') || args[0] === 'rev-parse'
  if (status === 0) return stdout.trimEnd()
  if (error === undefined && isQuestion) return null
  throw new CliFailure({
    code: 'GIT',
    summary: `git ${args[0]}: ${error?.message ?? stderr.trim()}`,
    fix: 'check that git is installed and may write its configuration',
  })
}

function readAttributes({ attributes }: GitPlace): string {
  return existsSync(attributes) ? readFileSync(attributes, 'utf8') : ''
}

/** A file in which nothing is left goes. */
function writeAttributes({ attributes }: GitPlace, { text, changed }: AttributeChange): void {
  if (changed.length === 0) return
  if (text === '') rmSync(attributes, { force: true })
  else {
    mkdirSync(dirname(attributes), { recursive: true })
    writeFileSync(attributes, text)
  }
}

function listPatterns(): readonly string[] {
  return MERGED_FORMATS.flatMap(({ endings }) => endings.map((ending) => `*${ending}`))
}

/**
 * By this Node and this command: a merge runs where nobody has set a path. Git takes a program that is not there for a conflict, and leaves our
 * side without a marker: whoever commits that has lost theirs. So the shell looks first, and merges lines without it.
 */
function createCommand(): string {
  const command = fileURLToPath(new URL('../../bin/rubicon.js', import.meta.url))
  const [node, script] = [quote(process.execPath), quote(command)]
  return `test -x ${node} && test -f ${script} || { ${MERGE_LINES}; }; ${node} ${script} ${RUN}`
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function report(
  { out }: CommandCall,
  { scope, attributes }: GitPlace,
  verb: 'install' | 'uninstall',
  config: Readonly<Record<string, string>>,
  { changed, kept }: AttributeChange,
): void {
  const sign = verb === 'install' ? '+' : '-'
  for (const [key, value] of Object.entries(config))
    out.line(`${sign} git config ${key} = ${value}`)
  for (const line of changed) out.line(`${sign} ${attributes}: ${line}`)
  for (const pattern of kept) out.line(`${SYMBOLS.info} ${attributes}: ${pattern} is set already`)
  const settings = Object.entries(config).map(([key, value]) => ({ key, value }))
  out.data({ scope, config: settings, attributes, lines: changed, kept })
}
