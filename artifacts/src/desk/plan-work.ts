/** Artifacts as the changes of one plan leave them, step by step. */
import type { JsonValue } from 'rubicon-kernel'
import type { ClaimedStep } from '../claims/claimed-step.ts'
import type { Format } from '../formats/format.ts'
import type { Project } from '../project/project.ts'
import type { ParsedText } from '../tree/parsed.ts'
import type { DraftChange } from './finish-change.ts'

export class PlanWork {
  project: Project
  readonly #drafts = new Map<string, DraftChange & { readonly steps: ClaimedStep[] }>()

  constructor(project: Project) {
    this.project = project
  }

  /** Null: nothing was done to it. */
  findText(artifact: string): ParsedText | null {
    return this.#drafts.get(artifact)?.steps.at(-1)?.after ?? null
  }

  add(
    artifact: string,
    format: Format,
    step: ClaimedStep,
    deltas: readonly JsonValue[] | null,
  ): void {
    const draft = this.#drafts.get(artifact)
    if (draft === undefined)
      this.#drafts.set(artifact, { artifact, format, before: step.before, steps: [step], deltas })
    // Its deltas are not of the text that it had first.
    else
      this.#drafts.set(artifact, {
        ...draft,
        steps: [...draft.steps, step],
        deltas: draft.deltas === deltas ? deltas : null,
      })
    this.project = this.project.change(new Map([[artifact, step.after.text]]))
  }

  /** Those first that were asked for, then what a rename reached, by name. */
  listDrafts(asked: readonly string[]): readonly DraftChange[] {
    const others = [...this.#drafts.keys()].filter((name) => !asked.includes(name)).sort()
    return [...asked, ...others].flatMap((name) => this.#drafts.get(name) ?? [])
  }
}
