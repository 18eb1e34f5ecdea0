/** A process that opens a desk, asks it for something that takes long, and is ended meanwhile. */
import { openDesk } from './open-desk.ts'
import { SLOW } from './slow-request.test-support.ts'

const desk = openDesk({ deadlineMs: 600_000 })
await desk.ask({ ...SLOW, text: { artifact: 'a.ts', text: '' } })
const answered = desk.ask(SLOW)
process.stdout.write('asked\n')
await answered
