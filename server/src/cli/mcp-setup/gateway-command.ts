/** How a client starts the gateway: this program, on this store, wherever the client itself was started. */
import { resolve } from 'node:path'
import { hasPassword, isPostgresAddress } from 'rubicon-runtime/ports'
import type { CommandCall } from '../call.ts'
import { CliFailure } from '../failure.ts'
import { parseSqlitePath } from '../open.ts'

export type GatewayStart = { readonly command: string; readonly args: readonly string[] }

export function buildGatewayCommand(
  { place, options }: CommandCall,
  mcp: string,
  state: string,
): GatewayStart {
  const { store, tenant, keyAgent, passphraseFile } = place
  const [, program = ''] = process.argv
  return {
    command: process.execPath,
    args: [
      ...process.execArgv,
      ...[program, 'mcp', '--mcp', mcp],
      ...formatStore(store, options.text('storeFile')),
      ...['--state', state],
      ...(tenant === 'default' ? [] : ['--tenant', tenant]),
      ...(keyAgent === undefined ? [] : ['--key-agent', resolve(keyAgent)]),
      ...(passphraseFile === undefined ? [] : ['--passphrase-file', resolve(passphraseFile)]),
    ],
  }
}

function formatStore(store: string, file: string | undefined): readonly string[] {
  if (file !== undefined) return ['--store-file', resolve(file)]
  const path = parseSqlitePath(store)
  if (path !== undefined) return ['--store', `sqlite:${resolve(path)}`]
  if (!isPostgresAddress(store) || !hasPassword(store)) return ['--store', store]
  throw new CliFailure({
    code: 'STORE_PASSWORD',
    summary: 'the password of the store would stand in the settings of the client',
    fix: 'use --store-file',
  })
}
