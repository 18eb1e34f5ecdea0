/**
 * Shows somebody a console in their browser. The link holds a token, and the list of processes shows everybody what stands on a
 * command line: the browser is given a file of its owner's alone, which leads there.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CommandStreams } from './output.ts'

/** Only where somebody sits: not in CI, and not where the output goes into a file. */
export function isBrowserWanted(streams: CommandStreams, isAllowed: boolean): boolean {
  const { stdin, stdout, env } = streams
  return isAllowed && stdin.isTTY === true && stdout.isTTY === true && (env.CI ?? '') === ''
}

/** `file`: where the page is put. Resolves to false where no browser could be started. */
export function openBrowser(link: string, file: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  // A file that is there keeps the rights that it has.
  rmSync(file, { force: true })
  writeFileSync(file, buildPage(link), { mode: 0o600, flag: 'wx' })
  const [command, ...args] = chooseCommand(env)
  return new Promise((resolve) => {
    const child = spawn(command, [...args, pathToFileURL(file).href], {
      detached: true,
      stdio: 'ignore',
    })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}

function chooseCommand(env: NodeJS.ProcessEnv): readonly [string, ...string[]] {
  if (env.BROWSER !== undefined && env.BROWSER !== '') return [env.BROWSER]
  if (process.platform === 'darwin') return ['open']
  if (process.platform === 'win32') return ['cmd', '/c', 'start', '']
  return ['xdg-open']
}

/** The link is an address of ours and a token: neither has a character that HTML would read. */
function buildPage(link: string): string {
  return `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>Rubicon</title>
<meta http-equiv="refresh" content="0;url=${link}"><a href="${link}">Rubicon</a>
`
}
