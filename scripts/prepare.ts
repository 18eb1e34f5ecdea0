/**
 * Makes sure that what tests need from the machine is there: installs it where that is allowed,
 * else says loudly what will be skipped. Nothing here asks a question.
 */
import { exists, run, say } from './shell.ts'

/** What is missing after trying to get it; empty when nothing is. */
export function prepareMachine(): readonly string[] {
  const missing: string[] = []
  if (!hasPython() && !installPython()) {
    missing.push('python3: the second verifier (testdata/oracle) is not run')
  }
  if (!exists('../shared/vectors')) {
    missing.push('../shared/vectors: the published vectors are not checked')
  }
  for (const line of missing) say(`MISSING ${line}`)
  return missing
}

function hasPython(): boolean {
  return run('python3', ['--version']).ok
}

function installPython(): boolean {
  if (process.getuid?.() !== 0 || !run('apt-get', ['--version']).ok) return false
  say('python3 is missing: installing it with apt-get')
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  const install = ['install', '-y', '--no-install-recommends', 'python3']
  if (!run('apt-get', install, { env }).ok) {
    run('apt-get', ['update'], { env })
    run('apt-get', install, { env })
  }
  return hasPython()
}
