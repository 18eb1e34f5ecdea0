/**
 * Makes sure that what tests need from the machine is there: installs it where that is allowed,
 * else says loudly what will be skipped. Nothing here asks a question.
 */
import { existsSync } from 'node:fs'
import { findBrowser } from '../console/src/browser/machine-browser.test-support.ts'
import { findServer } from '../runtime/src/adapters/postgres/local-server.ts'
import { run, say } from './shell.ts'

/** What is missing after trying to get it; empty when nothing is. */
export function prepareMachine({ full }: { readonly full: boolean }): readonly string[] {
  const missing: string[] = []
  if (!hasPython() && !install(['python3'], hasPython)) {
    missing.push('python3: the second verifier (testdata/oracle) is not run')
  }
  if (findServer() === null && !install(['postgresql'], () => findServer() !== null)) {
    missing.push('postgresql: the tests on a real server are not run')
  }
  if (!hasBrowser() && !install(['chromium-headless-shell'], hasBrowser)) {
    missing.push('chromium-headless-shell: the console is not tried in a real browser')
  }
  // What Go said is kept: it is asked again at full size alone.
  if (full && !hasGoNotes() && !install(['golang-go', 'golang-golang-x-mod-dev'], hasGoNotes)) {
    missing.push("go: our signed notes are not opened by Go's note package")
  }
  if (!hasNginx() && !install(['nginx', 'openssl'], hasNginx)) {
    missing.push('nginx, openssl: the server is not tried behind a real proxy')
  }
  if (!hasKeyAgent() && !install(['openssh-client'], hasKeyAgent)) {
    missing.push('openssh-client: no real key agent signs')
  }
  for (const line of missing) say(`MISSING ${line}`)
  return missing
}

function hasPython(): boolean {
  return run('python3', ['--version']).ok
}

function hasKeyAgent(): boolean {
  return existsSync('/usr/bin/ssh-agent') && existsSync('/usr/bin/ssh-add')
}

function hasGoNotes(): boolean {
  return (
    existsSync('/usr/share/gocode/src/golang.org/x/mod/sumdb/note') && run('go', ['version']).ok
  )
}

function hasNginx(): boolean {
  return run('nginx', ['-v']).ok && run('openssl', ['version']).ok
}

function hasBrowser(): boolean {
  return findBrowser() !== undefined
}

/** Debian's packages, where we may. True when they are there afterwards. */
function install(names: readonly string[], isThere: () => boolean): boolean {
  if (process.getuid?.() !== 0 || !run('apt-get', ['--version']).ok) return false
  say(`${names.join(', ')}: missing, installing with apt-get`)
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  const command = ['install', '-y', '--no-install-recommends', ...names]
  if (!run('apt-get', command, { env }).ok) {
    run('apt-get', ['update'], { env })
    run('apt-get', command, { env })
  }
  return isThere()
}
