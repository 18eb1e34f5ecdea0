/** `npm start`: one ticket, and what came of each thing that the model asked for. */
import { createScriptedProvider, endFailedProgram } from 'rubicon-runtime'
import { openAgent } from './agent.ts'

const ask = (amount: string) => ({
  calls: [{ name: 'REFUND', arguments: JSON.stringify({ order: 'o_1', amount }) }],
})
// It says what is written here, so that you need no account: too much first, and less when it hears why not.
const provider = createScriptedProvider({ script: [ask('9000.00'), ask('20.00')] })
// A real one is this line instead, imported from 'rubicon-runtime', with the name of its model below:
//   createOpenAiProvider({ name: 'ollama', baseUrl: 'http://127.0.0.1:11434/v1' })
//   createOpenAiProvider({ key: () => process.env.OPENAI_API_KEY ?? '' })
//   createAnthropicProvider({ key: () => process.env.ANTHROPIC_API_KEY ?? '' })
//   createGoogleProvider({ key: () => process.env.GEMINI_API_KEY ?? '' })

// A refusal, such as a changed contract with an old version, is shown without its stack.
process.once('uncaughtException', endFailedProgram)

const agent = await openAgent({ provider, model: 'scripted' })
const run = await agent.answerTicket('order o_1 came broken: I want 9000.00 back')
for (const { name, answer, code } of run.calls) console.log(name, code ?? answer?.outcome)
console.log('the run is', run.end.kind)
await agent.close()
