/** Reads what a contract says its agent's context is. */
import { LIMITS } from '../limits.ts'
import { CONTEXT_LAYERS, type ContextDeclaration, type Contract } from './contract.ts'
import { isPrefixMatch } from './pattern.ts'
import { createDistinctListReader } from './read-list.ts'
import { count, createChoiceReader, readIdentifier } from './read-scalar.ts'
import { describeValue, Fields, type Place, type Read } from './reader.ts'

const layer = createChoiceReader(...CONTEXT_LAYERS)

export const readWorkingContext: Read<ContextDeclaration> = (value, place) => {
  const fields = new Fields(value, place)
  const layers = fields.readDefaulted('layers', createDistinctListReader(layer), CONTEXT_LAYERS)
  const requires = fields.readDefaulted(
    'requires',
    createDistinctListReader(readIdentifier, LIMITS.contextStatePaths),
    [],
  )
  const limits = fields.readDefaulted('limits', readContextLimits, {})
  fields.end()
  if (requires.length > 0 && !layers.includes('state'))
    place.stepInto('requires').refuse('names State, and `layers` leaves it out')
  return { layers: CONTEXT_LAYERS.filter((one) => layers.includes(one)), requires, limits }
}

const readContextLimits: Read<ContextDeclaration['limits']> = (value, place) => {
  const fields = new Fields(value, place)
  const limits = {
    ...fields.readOptional(
      'tokens',
      createBoundedCountReader(1, LIMITS.contextTokensDeclared),
      (tokens) => ({ tokens }),
    ),
    ...fields.readOptional(
      'session',
      createBoundedCountReader(1, LIMITS.contextSessionEvents),
      (session) => ({
        session,
      }),
    ),
    ...fields.readOptional(
      'memory',
      createBoundedCountReader(0, LIMITS.contextMemoryEntries),
      (memory) => ({ memory }),
    ),
    ...fields.readOptional(
      'artifacts',
      createBoundedCountReader(0, LIMITS.contextArtifactChunks),
      (artifacts) => ({
        artifacts,
      }),
    ),
  }
  fields.end()
  return limits
}

function createBoundedCountReader(least: number, most: number): Read<number> {
  return (value, place) => {
    const read = count(least)(value, place)
    if (read > most) place.refuse(`must be at most ${most}, not ${describeValue(read)}`)
    return read
  }
}

/** An agent that needs what it may not see would never be invoked. */
export function checkRequired({ permissions, working_context }: Contract, place: Place): void {
  const { reads } = permissions
  if (reads.length === 0) return
  working_context?.requires.forEach((path, index) => {
    if (!reads.some((pattern) => isPrefixMatch(pattern, path)))
      place
        .stepInto('requires')
        .stepInto(index)
        .refuse(`${describeValue(path)} is not in \`permissions.reads\``)
  })
}
