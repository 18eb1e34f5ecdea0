/** Requests for tests: small texts, and plans that are applied one after another as whoever keeps them does. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import type { JsonValue } from 'rubicon-kernel'
import type { Desk, DeskAnswerTo, DeskProblem, PlannedChange } from './desk-answer.ts'
import type { ComposePart, DeskRequest, SinceChange } from './desk-request.ts'
import type { DeskText } from './desk-text.ts'

export type Texts = Readonly<Record<string, string>>

export function listTexts(texts: Texts, without: readonly string[] = []): readonly DeskText[] {
  return Object.entries(texts)
    .filter(([artifact]) => !without.includes(artifact))
    .map(([artifact, text]) => ({ artifact, text }))
}

export async function askWell<R extends DeskRequest>(
  desk: Desk,
  request: R,
): Promise<DeskAnswerTo<R>> {
  const answer = await desk.ask(request)
  assert.ok(answer.ok, answer.ok ? '' : JSON.stringify(answer.error))
  return answer.value
}

export async function askRefused(desk: Desk, request: DeskRequest): Promise<DeskProblem> {
  const answer = await desk.ask(request)
  assert.ok(!answer.ok, 'it is refused')
  return answer.error
}

/** A plan as it is kept. */
export type KeptPlan = { readonly key: string; readonly changes: readonly PlannedChange[] }

export async function planDeltasOf(
  desk: Desk,
  key: string,
  texts: Texts,
  deltas: Readonly<Record<string, readonly JsonValue[]>>,
): Promise<KeptPlan> {
  const names = Object.keys(deltas)
  const { changes } = await askWell(desk, {
    ask: 'plan',
    key,
    changes: names.map((artifact) => ({
      text: { artifact, text: texts[artifact] ?? '' },
      deltas: deltas[artifact] ?? [],
    })),
    project: listTexts(texts, names),
  })
  return { key, changes }
}

/** Artifacts with the changes that were applied to them. */
export class KeptTexts {
  readonly first: Texts
  readonly #texts: Map<string, string>
  readonly #applied = new Map<string, { readonly before: string; readonly change: SinceChange }[]>()

  constructor(texts: Texts) {
    this.first = texts
    this.#texts = new Map(Object.entries(texts))
  }

  get now(): Texts {
    return Object.fromEntries(this.#texts)
  }

  toRequest({ key, changes }: KeptPlan): Extract<DeskRequest, { ask: 'compose' }> {
    const parts = changes.map((change) => this.#toPart(change))
    const project = listTexts(
      this.now,
      changes.map(({ artifact }) => artifact),
    )
    return { ask: 'compose', key, strategy: null, parts, project }
  }

  #toPart({ artifact, before, deltas, claims, steps }: PlannedChange): ComposePart {
    const applied = this.#applied.get(artifact) ?? []
    const from = applied.findIndex((one) => one.before === before)
    const since = from < 0 ? [] : applied.slice(from).map(({ change }) => change)
    const now = this.#texts.get(artifact) ?? ''
    return {
      base: { artifact, text: before },
      now: { artifact, text: now },
      ...{ since, deltas, claims, steps },
    }
  }

  async apply(desk: Desk, plan: KeptPlan): Promise<readonly PlannedChange[]> {
    const { changes } = await askWell(desk, this.toRequest(plan))
    this.#keep(plan.key, changes)
    return changes
  }

  /** Null: it is refused, and nothing is changed. */
  async tryApply(desk: Desk, plan: KeptPlan): Promise<readonly PlannedChange[] | null> {
    const answer = await desk.ask(this.toRequest(plan))
    if (!answer.ok) return null
    this.#keep(plan.key, answer.value.changes)
    return answer.value.changes
  }

  #keep(key: string, changes: readonly PlannedChange[]): void {
    for (const { artifact, before, after, base, deltas, claims, splices, steps } of changes) {
      assert.equal(before, this.#texts.get(artifact))
      const change = { key, base, deltas, claims, splices, steps }
      const applied = this.#applied.get(artifact) ?? []
      this.#applied.set(artifact, [...applied, { before, change }])
      this.#texts.set(artifact, after)
    }
  }
}

export function listOrders<T>(values: readonly T[]): readonly (readonly T[])[] {
  if (values.length < 2) return [values]
  return values.flatMap((value, i) =>
    listOrders(values.toSpliced(i, 1)).map((rest) => [value, ...rest]),
  )
}

/** Processes of desks that one has started, and that have not ended. */
export function listChildren(parent: number): readonly number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        const [, state, holder] =
          /\) (\S) (\d+)/u.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
        const isDesk = readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('desk-child')
        return Number(holder) === parent && state !== 'Z' && isDesk
      } catch {
        // It has ended meanwhile, or is none.
        return false
      }
    })
}
