/** Notification channels with secrets of every use: the whole address, what signs, and a password of mail. */
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from 'rubicon-kernel'
import type { LeakyOutside } from './outside.ts'
import type { SecretVault } from './vault.ts'

/** The channels file of the machine. */
export function writeChannelsFile(
  folder: string,
  { getFile }: SecretVault,
  { url, port, mailPort }: LeakyOutside,
): string {
  const program = join(folder, 'channel-address')
  const secret = getFile('secret address of a channel')
  writeFileSync(program, `#!/bin/sh\nprintf '%s/hook/%s' '${url}' "$(cat ${secret})"\n`)
  chmodSync(program, 0o700)
  const hosts = [`127.0.0.1:${port}`]
  const file = join(folder, 'channels.json')
  const text = JSON.stringify({
    allow: [port, mailPort].map((one) => {
      return { host: '127.0.0.1', port: one, addresses: 'loopback' }
    }),
    secrets: {
      ADDRESS: { from: { command: [program] }, hosts },
      SIGNING: { from: { file: getFile('secret that signs for a channel') }, hosts },
      PASSWORD: {
        from: { file: getFile('password of a channel') },
        hosts: [`127.0.0.1:${mailPort}`],
      },
    },
  })
  writeFileSync(file, text)
  return file
}

/** Settings that an operator would send. */
export function listChannelSettings({ mailPort }: LeakyOutside): readonly JsonObject[] {
  const rest = { tells: ['escalation', 'manual_review'], least: 'info', quiet_s: 0, paused: false }
  const mail = {
    ...{ kind: 'mail', host: '127.0.0.1', port: mailPort, security: 'none', user: 'rubicon' },
    ...{ from: 'rubicon@example.com', to: ['ops@example.com'], password: { secret: 'PASSWORD' } },
  }
  const url = { secret: 'ADDRESS' }
  return [
    { name: 'hook', place: { kind: 'webhook', url, signing: { secret: 'SIGNING' } }, ...rest },
    { name: 'chat', place: { kind: 'slack', url }, ...rest },
    { name: 'mail', place: mail, ...rest },
  ]
}
