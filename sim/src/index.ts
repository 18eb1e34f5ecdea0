export { simCommand } from './command.ts'
