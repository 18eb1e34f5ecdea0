/** `rubicon contract …`: what agents may do, as files under review. */
import { readFileSync } from 'node:fs'
import type { Client, DocumentChange } from 'rubicon-agents/client'
import { AUTHORITY, type Contract, findUnenforcedRules } from 'rubicon-kernel'
import { readContractFile } from 'rubicon-runtime/contract-file'
import { findUnansweredAmong, formatUnansweredRule } from 'rubicon-runtime/engine/authority'
import { executeAsOperator } from './as-operator.ts'
import { executeAsReader } from './as-reader.ts'
import { type CommandCall, getArgument } from './call.ts'
import { confirm } from './confirm.ts'
import { escapeText } from './escape-text.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { CliFailure, formatFailureLines, unwrap } from './failure.ts'
import { SYMBOLS } from './output.ts'
import { describeModule, loadRules } from './rules-module.ts'
import { createIdempotencyKey, unwrapAnswer } from './server-answer.ts'

export async function checkContracts({ args, out, options }: CommandCall): Promise<ExitCode> {
  const files: object[] = []
  const module = options.text('rules')
  const capabilities = module === undefined ? null : describeModule(await loadRules(module))
  let ok = true
  for (const file of args) {
    const read = await readContractFile(file)
    // One of several must not hide what is said of the others.
    if (!read.ok && read.error.code === 'FILE_UNREADABLE' && args.length === 1)
      throw new CliFailure(read.error)
    ok &&= read.ok
    if (read.ok) {
      const { agent_id, version } = read.value
      out.line(`${out.symbol(SYMBOLS.allowed)} ${escapeText(file)}: ${agent_id} ${version}`)
      const unanswered =
        capabilities === null ? null : findUnansweredAmong(capabilities, read.value)
      for (const one of unanswered ?? [])
        out.line(`  ${out.symbol(SYMBOLS.waiting)} ${formatUnansweredRule(one)}`)
      ok &&= !unanswered?.some(({ rule }) => rule !== null)
      const not_enforced = warn(out, read.value)
      files.push({ file, ok: true, agent_id, version, not_enforced, unanswered })
    } else {
      for (const line of formatFailureLines(read.error)) out.line(line)
      files.push({ file, ok: false, error: read.error })
    }
  }
  if (capabilities === null && files.some((file) => 'agent_id' in file))
    out.note(
      `${SYMBOLS.info} not compared with the code: add --rules MODULE to see whether it has the measures and resources that the contracts name`,
    )
  out.data({ ok, files })
  return ok ? EXIT.done : EXIT.findings
}

/** Rules that the contract states and that nothing enforces yet. */
function warn(out: CommandCall['out'], contract: Contract): readonly string[] {
  const rules = findUnenforcedRules(contract)
  for (const rule of rules)
    out.line(`  ${out.symbol(SYMBOLS.waiting)} ${rule} is recorded, but nothing enforces it yet`)
  return rules
}

export async function deployContracts(call: CommandCall): Promise<ExitCode> {
  const { args, options, out } = call
  const contracts = await readAll(args)
  const revokePrevious = options.hasFlag('revokePrevious')
  const deployed: object[] = []
  await executeAsOperator(
    call,
    async (client) => {
      for (const [at, contract] of contracts.entries()) {
        const source = readFileSync(args[at] ?? '', 'utf8')
        const params = { agent_id: contract.agent_id }
        const body = { source, revoke_previous: revokePrevious }
        const done = unwrapAnswer(await client.deployContract({ params, body }))
        const how = done.unchanged ? 'is deployed already' : 'deployed'
        out.line(`${out.symbol(SYMBOLS.allowed)} ${done.agent_id} ${done.version} ${how}`)
        for (const one of done.unanswered) {
          // Contracts may come before capabilities: that is no finding yet.
          if (one.rule === null) out.note(`${SYMBOLS.info} ${formatUnansweredRule(one)}`)
          else out.line(`  ${out.symbol(SYMBOLS.waiting)} ${formatUnansweredRule(one)}`)
        }
        warn(out, contract)
        deployed.push(done)
      }
      for (const contract of contracts) await tellPassedOverParent(client, out, contract)
    },
    { create: true },
  )
  out.data({ deployed })
  return EXIT.done
}

/** A parent that is named by the contract and never asked. */
async function tellPassedOverParent(
  client: Client,
  out: CommandCall['out'],
  { agent_id: id, parent_agent }: Contract,
): Promise<void> {
  if (parent_agent === undefined) return
  const { parent_passed_over: why } = unwrapAnswer(await client.getAgent({ params: { id } }))
  if (why !== null) out.note(`${SYMBOLS.info} ${why}`)
}

/** All files are read before anything is deployed. */
async function readAll(files: readonly string[]): Promise<readonly Contract[]> {
  const contracts: Contract[] = []
  for (const file of files) contracts.push(unwrap(await readContractFile(file)))
  return contracts
}

export async function compareContracts(call: CommandCall): Promise<ExitCode> {
  const { args, out } = call
  const contracts = await readAll(args)
  const diffs = await executeAsReader(call, async (client) => {
    const found: ContractDiff[] = []
    for (const [at, contract] of contracts.entries())
      found.push(await compare(client, contract, readFileSync(args[at] ?? '', 'utf8')))
    return found
  })
  for (const { agent_id, from, to, changes } of diffs) {
    out.line(`${agent_id} ${from ?? 'not deployed'} → ${to}: ${changes.length} changes`)
    for (const { path, before, after } of changes)
      out.line(
        `  ${escapeText(path)}: ${escapeText(before ?? 'none')} → ${escapeText(after ?? 'none')}`,
      )
  }
  out.data({ diffs })
  return EXIT.done
}

type ContractDiff = {
  readonly agent_id: string
  /** The version that is deployed; null: none is. */
  readonly from: string | null
  readonly to: string
  readonly changes: readonly DocumentChange[]
}

async function compare(client: Client, contract: Contract, source: string): Promise<ContractDiff> {
  const { agent_id, version: to } = contract
  const deployed = await client.getAgent({ params: { id: agent_id } })
  const { changes } = unwrapAnswer(await client.checkContract({ body: { source } }))
  return { agent_id, from: deployed.ok ? deployed.body.version : null, to, changes }
}

export async function revokeContract(call: CommandCall): Promise<ExitCode> {
  const { options, out } = call
  const id = getArgument(call, 0, 'AGENT')
  const reason = options.getRequired('reason', '--reason TEXT')
  await confirm(call, { what: `revoking the contract of \`${id}\` ends its open flows`, name: id })
  const asked = { params: { agent_id: id }, body: { reason }, ...createIdempotencyKey() }
  const { seq } = await executeAsOperator(call, async (client) =>
    unwrapAnswer(await client.revokeContract(asked)),
  )
  out.line(`${out.symbol(SYMBOLS.allowed)} ${id} revoked at ${AUTHORITY}/${seq}`)
  out.data({ revoked: id, reason, seq })
  return EXIT.done
}
