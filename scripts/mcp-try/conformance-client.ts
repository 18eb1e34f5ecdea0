/**
 * What the conformance suite starts as the client under test: a gateway with the suite's server behind it, and a client
 * in front that calls the first tool of it. Arguments: a folder, and the address that the suite appends.
 */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { demand } from '../pack.ts'
import { ROOT, runRubicon } from '../shell.ts'
import { RUBICON, startUpProcess } from './place.ts'

const [, , parent = '', url = ''] = process.argv
const folder = mkdtempSync(join(parent, 'suite-'))
const at = ['--store', `sqlite:${join(folder, 'rubicon.db')}`, '--state', join(folder, 'state')]
const mcp = ['--mcp', join(folder, 'mcp.yaml'), ...at]

function runVerb(words: readonly string[]): string {
  return demand(`rubicon ${words.join(' ')}`, runRubicon(words))
}

function setUp(): readonly string[] {
  const servers = { suite: { url } }
  writeFileSync(join(folder, 'mcp.yaml'), JSON.stringify({ agent: 'desk', servers }))
  const { approved } = JSON.parse(
    runVerb(['mcp', 'approve', 'suite', '--class', 'read', '--json', ...mcp]),
  )
  const kinds: readonly string[] = approved.map(({ kind }: { readonly kind: string }) => kind)
  const contract = join(folder, 'contract.yaml')
  writeFileSync(contract, JSON.stringify(buildContract(kinds)))
  runVerb(['contract', 'deploy', contract, ...at])
  const key = join(folder, 'state', 'agents', 'desk.pem')
  mkdirSync(join(folder, 'state', 'agents'), { recursive: true })
  runVerb(['keys', 'register', '--purpose', 'agent', '--subject', 'desk', '--out', key, ...at])
  return kinds
}

function buildContract(policy_kinds: readonly string[]): object {
  return {
    ...{ api_version: 'rubicon/v1', kind: 'ResponsibilityContract' },
    ...{ agent_id: 'desk', version: '1.0.0', owner: 'jane.doe@example.com' },
    ...{ effective_from: '2025-01-01', role: 'EXECUTOR', authority: 'EXECUTE_LIMITED' },
    mission: 'Call what the conformance suite offers.',
    permissions: { policy_kinds },
  }
}

/** Arguments of every tool that the suite asks its clients to call. */
const ARGUMENTS: Readonly<Record<string, object>> = { add_numbers: { a: 5, b: 3 } }

async function callTools(kinds: readonly string[]): Promise<void> {
  const client = new Client({ name: 'suite', version: '1' })
  const env = Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  )
  const args = [RUBICON, 'mcp', ...mcp]
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, env, cwd: ROOT }),
  )
  for (const kind of kinds) {
    const tool = kind.slice('mcp.suite.'.length)
    const answer = await client.callTool({
      name: `suite__${tool}`,
      arguments: { ...(ARGUMENTS[tool] ?? {}) },
    })
    if (answer.isError === true) throw new Error(`${tool}: ${JSON.stringify(answer.content)}`)
  }
  await client.close()
}

const kinds = setUp()
if (kinds.length > 0) {
  const running = await startUpProcess(mcp, {})
  await callTools(kinds).finally(() => running.stop())
}
