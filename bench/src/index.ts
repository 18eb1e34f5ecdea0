export { benchCommand } from './command.ts'
