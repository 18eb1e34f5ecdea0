/**
 * Evaluators of Cedar. One that runs out of stack is broken from then on, whoever's text it was: what
 * people try out has one of its own, so that it cannot break the one that decides.
 *
 * V1 nothing but the law in force reaches the evaluator of the law.
 * V2 one that has thrown is not asked again.
 */
import { createRequire } from 'node:module'
import * as lawful from '@cedar-policy/cedar-wasm/nodejs'

export type Evaluator = typeof lawful

export const lawEvaluator: Evaluator = lawful

const load = createRequire(import.meta.url)
let tried: Evaluator | null = null

/** Asks the evaluator for what is only tried. Throws what it throws. */
export function askDraft<T>(ask: (evaluator: Evaluator) => T): T {
  tried ??= loadEvaluator()
  try {
    return ask(tried)
  } catch (error) {
    tried = null
    throw error
  }
}

/** The package makes one when it is loaded, and has no other way to make one. */
function loadEvaluator(): Evaluator {
  const path = load.resolve('@cedar-policy/cedar-wasm/nodejs')
  delete load.cache[path]
  const evaluator = parseEvaluator(load(path))
  delete load.cache[path]
  return evaluator
}

/** The same package as above. */
function parseEvaluator(loaded: unknown): Evaluator {
  return loaded as Evaluator
}
