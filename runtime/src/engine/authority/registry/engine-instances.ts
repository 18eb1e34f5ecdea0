/** Agents that are made of a class for an occasion, as this process makes and ends them. */
import type { Failure, Result } from 'rubicon-kernel'
import type { Context } from '../../engine-context.ts'
import type { CallRunner } from '../../oversight.ts'
import { endInstance, type Spawned, type SpawnRequest, spawnInstance } from './instances.ts'

export class Instances {
  readonly #context: Context
  readonly #runner: CallRunner

  constructor(context: Context, runner: CallRunner) {
    this.#context = context
    this.#runner = runner
  }

  spawn(request: SpawnRequest): Promise<Result<Spawned, Failure>> {
    return this.#runner.runAsked(() => spawnInstance(this.#context, request))
  }

  end(agent: string, why: string): Promise<Result<void, Failure>> {
    return this.#runner.runAsked(() => endInstance(this.#context, agent, why))
  }
}
