/** A process that opens a desk, asks it for something that takes long, and is ended meanwhile. */
import { openDesk } from './open-desk.ts'
import { SLOW } from './slow-request.test-support.ts'

await openDesk({ deadlineMs: 600_000 }).ask(SLOW)
