/**
 * Carries out a set-up. Each step can be interrupted and done again, and the client's file comes last: until then it
 * works as before, and afterwards everything is there that it needs.
 *
 * A1 what a person has written is not replaced: an MCP file that says something else refuses, a lock and a contract that
 *    are there are used as they are.
 */
import type { Client } from 'rubicon-agents/client'
import { readContractFile } from 'rubicon-runtime/contract-file'
import { executeAsOperator } from '../as-operator.ts'
import type { CommandCall } from '../call.ts'
import { CliFailure, unwrap } from '../failure.ts'
import { findKeyFile } from '../keyed-agent.ts'
import { unwrapAnswer } from '../server-answer.ts'
import { ensureAgentKey } from './agent-key.ts'
import { assertBackupFree, replaceClientFile } from './client-backup.ts'
import { assertOutOfReach } from './own-folder.ts'
import type { SetupPlan } from './setup-plan.ts'
import { readIfThere, replaceWhole } from './whole-file.ts'

/** The files that were written or changed; those that were as they should be are not among them. */
export async function applySetup(call: CommandCall, plan: SetupPlan): Promise<readonly string[]> {
  assertWhole(plan)
  assertOutOfReach(call, plan)
  const { source, files, secrets, agent } = plan
  if (source.client !== null) assertBackupFree(source.client.file, source.client.text)
  const written: string[] = []
  const isSetUp = checkExisting(plan)
  for (const { path, value } of secrets.values())
    if (readIfThere(path) !== value) {
      replaceWhole(path, value)
      written.push(path)
    }
  if (!isSetUp) {
    replaceWhole(files.mcp.path, files.mcp.text)
    written.push(files.mcp.path)
  }
  for (const { path, text } of [files.lock, files.contract])
    if (readIfThere(path) === null) {
      replaceWhole(path, text, 0o644)
      written.push(path)
    }
  const key = findKeyFile(call, agent)
  const isNew = await executeAsOperator(
    call,
    async (client) => {
      await deployContract(client, files.contract.path, agent)
      return ensureAgentKey(client, agent, key)
    },
    { create: true },
  )
  if (isNew) written.push(key)
  const { settings } = plan
  if (settings !== null && readIfThere(settings) === null) {
    replaceWhole(settings, plan.rewritten, 0o644)
    written.push(settings)
  }
  if (source.client !== null && source.client.text !== plan.rewritten) {
    replaceClientFile(source.client.file, source.client.text, plan.rewritten)
    written.push(source.client.file)
  }
  return written
}

/** A client with some of its servers behind the gateway and others beside it is what somebody has to want. */
function assertWhole({ left, servers }: SetupPlan): void {
  const [first] = left.filter(({ agreed }) => !agreed)
  if (first !== undefined)
    throw new CliFailure({
      code: 'MCP_SERVER_LEFT',
      summary: `\`${first.was}\` cannot be taken over: ${first.why}`,
      why: 'the client would go on calling it directly, past every rule',
      fix: `correct its entry, or leave it with the client: --without ${first.was}`,
    })
  if (servers.length > 0) return
  throw new CliFailure({
    code: 'MCP_SERVER_LEFT',
    summary: 'there is no server to take over',
    fix: 'name another file with --from',
  })
}

/** Whether an earlier run wrote the MCP file. */
function checkExisting({ files, settings, rewritten }: SetupPlan): boolean {
  const before = settings === null ? null : readIfThere(settings)
  if (settings !== null && before !== null && before !== rewritten) throw refuseExisting(settings)
  const mcp = readIfThere(files.mcp.path)
  if (mcp === files.mcp.text) return true
  const inTheWay = [files.mcp, files.lock, files.contract].find(
    ({ path }) => readIfThere(path) !== null,
  )
  if (inTheWay === undefined) return false
  throw refuseExisting(inTheWay.path)
}

function refuseExisting(path: string): CliFailure {
  return new CliFailure({
    code: 'MCP_FILE_THERE',
    summary: `${path} is there, and is of another set-up`,
    why: 'what you have written is not replaced',
    fix: 'move it aside, or name other places with --mcp and --agent',
  })
}

async function deployContract(client: Client, file: string, agent: string): Promise<void> {
  const contract = unwrap(await readContractFile(file))
  if (contract.agent_id !== agent)
    throw new CliFailure({
      code: 'MCP_FILE_THERE',
      summary: `${file} is the contract of \`${contract.agent_id}\`, and not of \`${agent}\``,
      fix: 'move it aside, or name another agent with --agent',
    })
  const source = readIfThere(file) ?? ''
  const body = { source, revoke_previous: false }
  unwrapAnswer(await client.deployContract({ params: { agent_id: agent }, body }))
}
