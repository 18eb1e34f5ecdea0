/** Tools that are data, with secrets of every origin: in headers of requests, and in a variable of a program. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from 'rubicon-kernel'
import type { LeakyOutside } from './outside.ts'
import type { SecretVault } from './vault.ts'

export type ToolFiles = {
  readonly tools: string
  /** What the program found among its variables. */
  readonly variables: string
}

export function writeToolFiles(
  folder: string,
  vault: SecretVault,
  { url, closedUrl, port }: LeakyOutside,
): ToolFiles {
  mkdirSync(folder)
  const variables = join(folder, 'variables.txt')
  const program = writeProgram(folder, 'program', [
    `env >> ${variables}`,
    'case "$1" in',
    `ok) printf '{"key":"%s"}' "$(printf %s "$KEY" | base64 -w0)" ;;`,
    'said) printf %s "$KEY" ;;',
    'denied|limited) echo "$KEY" >&2; exit 3 ;;',
    '*) echo "$KEY"; echo "$KEY" >&2; exit 1 ;;',
    'esac',
  ])
  const command = writeProgram(folder, 'manager', [
    `cat ${vault.getFile('tool secret of a command')}`,
  ])
  const host = `127.0.0.1:${port}`
  const closed = closedUrl.slice('http://'.length)
  const buildEntry = (from: JsonObject | string, kind: string): JsonObject => ({
    ...{ from, tools: [kind, 'NOBODY'], hosts: [host, closed], commands: [program] },
  })
  const manifests: Readonly<Record<string, JsonObject>> = {
    BY_ENVIRONMENT: buildHttp(url, 'IN_VARIABLE', { authorization: 'Bearer {secret}' }),
    BY_FILE: buildHttp(url, 'IN_FILE', { 'x-tool-key': '{secret}' }),
    BY_COMMAND: buildHttp(url, 'BY_COMMAND', { authorization: 'Basic {secret}' }),
    BY_PROGRAM: {
      command: {
        argv: [program, { param: '/case' }],
        env: { KEY: { secret: 'OF_PROGRAM' } },
        applied: [0],
        not_applied: [3],
      },
    },
    NOBODY: buildHttp(closedUrl, 'IN_FILE', { 'x-tool-key': '{secret}' }),
  }
  for (const [kind, executor] of Object.entries(manifests))
    writeFileSync(join(folder, `${kind}.json`), JSON.stringify(buildManifest(kind, executor)))
  const tools = join(folder, 'tools.json')
  const methods = ['POST']
  const http = [port, Number(new URL(closedUrl).port)].map((one) => ({
    ...{ scheme: 'http', host: '127.0.0.1', port: one, methods, addresses: 'loopback' },
  }))
  writeFileSync(
    tools,
    JSON.stringify({
      tools: Object.keys(manifests).map((kind) => `${kind}.json`),
      allow: { http, commands: [{ path: program }] },
      secrets: {
        IN_VARIABLE: buildEntry('environment', 'BY_ENVIRONMENT'),
        IN_FILE: buildEntry({ file: vault.getFile('tool secret in a file') }, 'BY_FILE'),
        BY_COMMAND: buildEntry({ command: [command] }, 'BY_COMMAND'),
        OF_PROGRAM: buildEntry({ file: vault.getFile('secret of a program') }, 'BY_PROGRAM'),
      },
    }),
  )
  return { tools, variables }
}

function writeProgram(folder: string, name: string, lines: readonly string[]): string {
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\n${lines.join('\n')}\n`, { mode: 0o700 })
  return path
}

function buildHttp(
  url: string,
  secret: string,
  headers: Readonly<Record<string, string>>,
): JsonObject {
  const [[name = '', format = ''] = []] = Object.entries(headers)
  return {
    http: {
      method: 'POST',
      url: `${url}/tool/{/case}`,
      headers: { [name]: { secret, format } },
      body: {},
      applied: [200],
      not_applied: [422, 429],
    },
  }
}

function buildManifest(kind: string, executor: JsonObject): JsonObject {
  return {
    manifest: 'rubicon/tool/1',
    kind,
    version: '1',
    summary: 'asks somebody who says everything again',
    params: {
      type: 'object',
      properties: {
        case: { type: 'string', pattern: '^[a-z]{1,16}$' },
        amount: { type: 'string', pattern: '^[0-9]{1,3}$' },
      },
      required: ['case', 'amount'],
      additionalProperties: false,
    },
    effect: 'unsafe',
    reversible: true,
    risk: 'low',
    measures: { amount: { param: '/amount' } },
    executor,
  }
}
