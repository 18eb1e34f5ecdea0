/**
 * `rubicon executions reconcile --rules MODULE`: finds out what became of uncertain effects.
 *
 * Only the capability that sent an effect can ask about it. Without the module every uncertain
 * effect would be handed to a person, so that nothing is done without it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createRuntime } from 'rubicon-runtime/compose'
import type { Engine } from 'rubicon-runtime/engine'
import { loadExecution } from 'rubicon-runtime/engine/rows'
import type { ExecutionRow } from 'rubicon-runtime/ports'
import type { CommandCall } from './call.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { CliFailure } from './failure.ts'
import { readFromStore, toRuntimeOptions } from './open.ts'
import { SYMBOLS } from './output.ts'
import { loadRules } from './rules-module.ts'

const UNCERTAIN = ['DISPATCHED', 'UNKNOWN', 'NOT_APPLIED'] as const
const LISTED = 1_000
const PATIENCE_MS = 5_000

export async function reconcile({ options, place, out }: CommandCall): Promise<ExitCode> {
  const before = await readFromStore(place, (store) =>
    store.listExecutions({ status: UNCERTAIN, limit: LISTED }),
  )
  const rules = options.text('rules')
  if (before.length === 0) {
    out.line(`${out.symbol(SYMBOLS.allowed)} no effect is uncertain`)
    out.data({ looked_at: 0, executions: [] })
    return EXIT.done
  }
  if (rules === undefined)
    throw new CliFailure({
      code: 'RULES_NEEDED',
      summary: `${before.length} effects are uncertain`,
      why: 'only the capability that sent an effect can ask about it',
      fix: 'add --rules MODULE with the capabilities; a running runtime does it by itself',
    })
  const { capabilities, policies } = await loadRules(rules)
  const runtime = await createRuntime({
    ...toRuntimeOptions(place),
    capabilities,
    policies,
    background: false,
  })
  try {
    const looked_at = await settleAll(await runtime.start())
    const after: ExecutionRow[] = []
    for (const { dfid, step_id } of before) {
      const row = await loadExecution(runtime.store, dfid, step_id)
      if (row !== null) after.push(row)
    }
    for (const { dfid, step_id, status, next_at } of after)
      out.line(`${dfid}  ${step_id}  ${status}${next_at === null ? '' : `, again at ${next_at}`}`)
    out.data({ looked_at, executions: after })
    const open = after.some(({ status }) => UNCERTAIN.some((one) => one === status))
    return open || after.some(({ status }) => status === 'MANUAL_REVIEW')
      ? EXIT.findings
      : EXIT.done
  } finally {
    await runtime.close()
  }
}

/** What is due soon is waited for; what is due later is told with its time. */
async function settleAll(engine: Engine): Promise<number> {
  const { store, clock } = engine.context
  const until = clock.now() + PATIENCE_MS
  let looked = 0
  for (;;) {
    looked += await engine.reconcile()
    const open = await store.listExecutions({ status: UNCERTAIN, limit: LISTED })
    const next = Math.min(...open.map(({ next_at }) => Date.parse(next_at ?? '')))
    if (!(next <= until)) return looked
    await sleep(Math.max(10, next - clock.now()))
  }
}
