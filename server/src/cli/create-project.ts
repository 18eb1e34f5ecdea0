/**
 * `rubicon init [DIR]`: a project with an agent, its contract and a test, which runs with a scripted model.
 *
 * Nothing that is there is touched: a folder that has anything in it is refused, files are only created, and if one
 * of them cannot be, those that were made before it are removed.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { isBlank } from 'rubicon-kernel'
import { type CommandCall, createUsageFailure } from './call.ts'
import { escapeText } from './escape-text.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { CliFailure } from './failure.ts'
import { SYMBOLS } from './output.ts'
import { buildProjectFiles, type ProjectFile } from './project-files.ts'
import { readVersion } from './version.ts'

export async function createProject({ args, options, out }: CommandCall): Promise<ExitCode> {
  const given = args[0] ?? '.'
  if (isBlank(given))
    throw createUsageFailure('the folder has no name', 'name one, or leave it out for this folder')
  const folder = resolve(given)
  const files = buildProjectFiles(basename(folder), options.text('packages'))
  mkdirSync(folder, { recursive: true })
  assertEmpty(folder)
  writeFiles(folder, files)
  const enter = resolve('.') === folder ? [] : [`cd ${formatShellWord(given)}`]
  const next = [...enter, 'npm install', 'npm start', 'npm test']
  out.line(`${out.symbol(SYMBOLS.allowed)} ${escapeText(given)}: ${files.length} files`)
  for (const command of next) out.line(`  next  ${escapeText(command)}`)
  out.note(
    `${SYMBOLS.info} npm install brings Node 24 into the folder; npm start, npm test and npx node FILE run on it`,
  )
  const version = readVersion()
  // A version of a clone: npm has none of it, or one that somebody else has published under these names.
  if (version.includes('-') && options.text('packages') === undefined)
    out.note(
      `${SYMBOLS.waiting} ${version} is not on npm: name the folder of its tarballs with --packages, as \`npm run packages\` in a clone makes it`,
    )
  out.data({ folder, files: files.map(({ name }) => name), next })
  return EXIT.done
}

function assertEmpty(folder: string): void {
  const found = readdirSync(folder)
  if (found.length === 0) return
  throw new CliFailure({
    code: 'FOLDER_NOT_EMPTY',
    summary: `\`${folder}\` is not empty: it has \`${found.sort()[0]}\`${found.length > 1 ? ` and ${found.length - 1} more` : ''}`,
    why: 'a project is made in a folder of its own, so that no file of yours is replaced',
    fix: 'name a folder that does not exist yet: `rubicon init my-agent`',
  })
}

function writeFiles(folder: string, files: readonly ProjectFile[]): void {
  const made: string[] = []
  try {
    for (const { name, text } of files) {
      const path = join(folder, name)
      // `wx`: also what somebody else has put there meanwhile stays.
      writeFileSync(path, text, { flag: 'wx' })
      made.push(path)
    }
  } catch (error) {
    for (const path of made) rmSync(path)
    throw error
  }
}

/** As a POSIX shell reads it back: one word, and no option. */
function formatShellWord(path: string): string {
  const word = path.startsWith('-') ? `./${path}` : path
  return /^[\w./@%+:,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
