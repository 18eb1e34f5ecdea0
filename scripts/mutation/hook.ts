/**
 * Loaded with `node --import`: makes the mistake of RUBICON_MUTANT in the source of its file, as it is
 * loaded. Where that is not the text that was read, nothing is run: it would be noticed for another reason.
 */
import { registerHooks } from 'node:module'
import { applyMutant, type Mutant, NOT_MADE } from './mutant.ts'

const { RUBICON_MUTANT: text } = process.env
const ROOT = new URL('../../', import.meta.url).href

if (text !== undefined) {
  const mutant = JSON.parse(text) as Mutant
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      if (url.split('?')[0] !== `${ROOT}${mutant.file}`) return loaded
      const { source } = loaded
      const whole =
        typeof source === 'string' ? source : new TextDecoder().decode(source ?? undefined)
      const mutated = applyMutant(whole, mutant)
      if (mutated === null) process.exit(NOT_MADE)
      return { ...loaded, source: mutated }
    },
  })
}
