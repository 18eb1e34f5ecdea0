/** Everything that one proposal is judged on. */
import type { Authority, CapabilityLaw, CompileInput, DeployedContract } from 'rubicon-kernel'
import type { StoredRecord } from '../../ports/record.ts'
import type { DecisionView, Guard } from '../../ports/store.ts'
import type { ObservedVersion } from '../context/observed-state.ts'
import type { ReleaseCounts } from '../rows/release-counts.ts'
import type { ResourceRef } from '../rows/resource-ref.ts'

export type Gathered = {
  readonly view: DecisionView
  readonly authority: Authority
  readonly deployed: DeployedContract | undefined
  readonly input: CompileInput
  readonly law: CapabilityLaw | undefined
  /** World resources that were asked for and do not exist: that, too, must still hold at dispatch. */
  readonly absent: readonly ResourceRef[]
  /** State that was observed, as it was read. */
  readonly observed: readonly ObservedVersion[]
  /** How often effects on its resources were settled before a source was asked; null: none was. */
  readonly releases: ReleaseCounts | null
  /** The atom that the proposal names, where it holds something for it. */
  readonly atom: StoredRecord<'atom'> | null
  /** With COMPENSATE: that nobody has chosen meanwhile. */
  readonly saga: readonly Guard[]
}
