/** Everything that is in force for all agents of this project: what they may ask for, and policies if there are any. */
import type { Capability, PolicyForm } from 'rubicon-runtime'
import { refund } from './refund.ts'

export const capabilities: readonly Capability[] = [refund]

/** Rules in Cedar for all agents: the paths of files, such as 'policy.cedar'. */
export const policies: readonly PolicyForm[] = []
