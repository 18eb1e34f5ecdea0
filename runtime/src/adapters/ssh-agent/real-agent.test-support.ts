/** The agent of OpenSSH, in a process of its own that ends with the test. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'

export const HAS_AGENT: boolean = existsSync('/usr/bin/ssh-agent')

export type RealAgent = {
  readonly socket: string
  /** Puts a new Ed25519 key into it. */
  add(comment: string): void
  /** Takes all keys out of it. */
  empty(): void
}

export async function startAgent(t: TestContext): Promise<RealAgent> {
  // A path of a socket has room for a hundred characters.
  const folder = mkdtempSync(join(tmpdir(), 'agent-'))
  const socket = join(folder, 's')
  const child = spawn('ssh-agent', ['-D', '-a', socket], { stdio: 'ignore' })
  t.after(async () => {
    // It removes its socket when it ends, which must not be while the folder is removed.
    const ended = once(child, 'exit')
    child.kill()
    await ended
    rmSync(folder, { recursive: true, force: true })
  })
  for (let tries = 0; tries < 200 && !existsSync(socket); tries++) await wait(20)
  const env = { ...process.env, SSH_AUTH_SOCK: socket }
  let made = 0
  return {
    socket,
    add(comment) {
      const file = join(folder, `key-${made++}`)
      const key = ['-q', '-t', 'ed25519', '-N', '', '-C', comment, '-f', file]
      execFileSync('ssh-keygen', key, { stdio: 'ignore' })
      execFileSync('ssh-add', ['-q', file], { env, stdio: 'ignore' })
    },
    empty: () => void execFileSync('ssh-add', ['-q', '-D'], { env, stdio: 'ignore' }),
  }
}
