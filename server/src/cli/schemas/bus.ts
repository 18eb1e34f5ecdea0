/** `bus …`. */
import { busLetter } from '../../http/routes/bus.ts'
import { buildClosedSchema, buildNullableSchema, type Family, listOf, text } from './shape.ts'

export const BUS: Family = {
  'bus dead-letters': {
    prints: 'messages that could not be sent, oldest first',
    shape: buildClosedSchema({ letters: listOf(busLetter), next: buildNullableSchema(text) }),
  },
  'bus replay': { prints: 'the message that is sent again', shape: busLetter },
}
