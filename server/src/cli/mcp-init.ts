/**
 * `rubicon mcp init`: puts the gateway between an MCP client and its servers. It shows what it would do; with `--apply` it
 * does it, in the name of whoever runs it.
 */
import { toMcpKind } from 'rubicon-kernel'
import { type CallTreatment, hasGateway } from 'rubicon-mcp'
import type { CommandCall } from './call.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { applySetup } from './mcp-setup/apply-setup.ts'
import { toBackupName } from './mcp-setup/client-backup.ts'
import { planSetup, type SetupPlan } from './mcp-setup/setup-plan.ts'
import { findSetupSource } from './mcp-setup/setup-source.ts'
import { formatTable, type Output, SYMBOLS } from './output.ts'

export type ProposedToolRow = {
  readonly kind: string
  readonly class: string
  readonly treatment: CallTreatment
  readonly ground: string
}

export async function setUpGateway(call: CommandCall): Promise<ExitCode> {
  const { options, out } = call
  const { client, parsed } = findSetupSource(call)
  if (client !== null && hasGateway(parsed)) {
    const others = parsed.servers.length - 1
    out.line(`${out.symbol(SYMBOLS.allowed)} ${client.file} starts the gateway already`)
    if (others > 0)
      out.note(
        `${SYMBOLS.waiting} it also starts ${others} others, past the gateway: \`rubicon mcp eject\`, then init again`,
      )
    out.data({ ...NOTHING, client: client.file })
    return EXIT.done
  }
  const plan = await planSetup(call)
  show(out, plan)
  const applied = options.hasFlag('apply')
  const written = applied ? await applySetup(call, plan) : []
  conclude(out, plan, applied, written)
  out.data({
    applied,
    written,
    client: plan.source.client?.file ?? null,
    files: Object.values(plan.files).map(({ path }) => path),
    secrets: [...plan.secrets.values()].map(({ path }) => path),
    agent: plan.agent,
    owner: plan.owner,
    self_approval: plan.selfApproval,
    tools: listRows(plan),
    refused: listRefused(plan),
    left: plan.left,
  })
  return EXIT.done
}

const NOTHING = {
  ...{
    applied: false,
    written: [],
    files: [],
    secrets: [],
    agent: null,
    owner: null,
    self_approval: null,
  },
  ...{ tools: [], refused: [], left: [] },
}

function listRows({ servers }: SetupPlan): readonly ProposedToolRow[] {
  return servers.flatMap(({ tools }) =>
    tools.map(({ server, definition, name, treatment, ground }) => ({
      kind: toMcpKind(server, definition.name),
      class: name,
      treatment,
      ground,
    })),
  )
}

function listRefused({
  servers,
}: SetupPlan): readonly { readonly kind: string; readonly why: string }[] {
  return servers.flatMap(({ name, refused }) =>
    refused.map(({ tool, why }) => ({ kind: toMcpKind(name, tool), why })),
  )
}

const HEAD = ['tool', 'class', 'a call', 'because']

function show(out: Output, plan: SetupPlan): void {
  for (const { name, template, bounds } of plan.servers) {
    const about = Object.values(bounds).flat().join(', ')
    out.line(
      `${name}: ${template === undefined ? 'no template' : `template ${template.name}`}${about === '' ? '' : `, ${about}`}`,
    )
  }
  const rows = listRows(plan).map((row) => [row.kind, row.class, row.treatment, row.ground])
  for (const line of formatTable([HEAD, ...rows], out.width)) out.line(line)
  for (const { kind, why } of listRefused(plan))
    out.line(`${out.symbol(SYMBOLS.waiting)} ${kind} cannot be governed and is not shown: ${why}`)
  for (const { was, why, agreed } of plan.left)
    out.line(
      `${out.symbol(agreed ? SYMBOLS.waiting : SYMBOLS.rejected)} ${was} stays with the client, past every rule: ${why}`,
    )
  for (const { name, exposed } of plan.taken)
    if (exposed.length > 0)
      out.note(
        `${SYMBOLS.waiting} ${name}: ${exposed.length} of its arguments look like credentials, and stay in ${plan.files.mcp.path}`,
      )
}

/** That somebody governs themselves is what others should read first. */
function tellSelfApproval(out: Output, { selfApproval, owner, agent }: SetupPlan): void {
  if (selfApproval)
    out.line(
      `${out.symbol(SYMBOLS.waiting)} self_approval: allowed stands in the contract: ${owner}, who answers for ${agent}, also approves its calls (--second-person leaves it out)`,
    )
}

function conclude(
  out: Output,
  plan: SetupPlan,
  applied: boolean,
  written: readonly string[],
): void {
  const { files, secrets, source, agent, owner } = plan
  const client = source.client?.file
  tellSelfApproval(out, plan)
  if (!applied) {
    out.line('')
    out.line(
      'These are proposals, from names, hints and templates. Nothing was written. --apply would:',
    )
    for (const path of [...secrets.values()].map((one) => `${one.path} (a credential)`))
      out.line(`  write   ${path}`)
    for (const { path } of Object.values(files)) out.line(`  write   ${path}`)
    if (plan.settings !== null) out.line(`  write   ${plan.settings}`)
    out.line(`  deploy  the contract of ${agent}, owned by ${owner}, and register its key`)
    if (client !== undefined)
      out.line(`  change  ${client} (a copy stays at ${toBackupName(client)})`)
    return
  }
  for (const path of written) out.line(`${out.symbol(SYMBOLS.allowed)} ${path}`)
  if (written.length === 0)
    out.line(`${out.symbol(SYMBOLS.allowed)} everything was as it should be`)
  if (plan.settings !== null)
    out.note(`${SYMBOLS.info} next: let your MCP client read ${plan.settings}`)
  else if (client === undefined) {
    out.note(`${SYMBOLS.info} next: put this into the settings of your MCP client`)
    for (const line of plan.rewritten.trimEnd().split('\n')) out.note(line)
  } else out.note(`${SYMBOLS.info} next: restart the client; \`rubicon mcp eject\` undoes it`)
  out.note(
    `${SYMBOLS.info} calls that ask a person wait in the console; \`rubicon token\` says where it is, once the client has started, and signs you in`,
  )
}
