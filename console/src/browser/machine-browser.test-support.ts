/** The browser of the machine, without a window and without anything of its own to ask the network for. */
import { existsSync } from 'node:fs'
import type { Browser } from 'playwright-core'

/** Debian's. The first has no window at all, and takes a sixth less of a processor. */
const PROGRAMS: readonly string[] = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
const FLAGS: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Undefined: there is none. */
export function findBrowser(): string | undefined {
  return PROGRAMS.find((program) => existsSync(program))
}

export async function launchBrowser(): Promise<Browser> {
  const executablePath = findBrowser()
  if (executablePath === undefined) throw new Error(`there is no browser: ${PROGRAMS.join(', ')}`)
  // Whoever only looks whether there is one does not load what drives it.
  const { chromium } = await import('playwright-core')
  return chromium.launch({ executablePath, args: [...FLAGS] })
}
