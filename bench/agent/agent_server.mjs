// `falconer serve` whose own agent is on and asks a model that plays a part.

import { FalconerServer } from '../common/falconer_server.mjs';
import { Model } from '../common/scripted_model.mjs';

export class AgentServer extends FalconerServer {
  #model;

  constructor(settings, model, more = []) {
    super(settings, ['agent.internal.enabled=true', 'agent.internal.max_steps=50', 'agent.internal.max_wall_time=300s',
      `agent.providers=${JSON.stringify([model.row])}`, ...more]);
    this.#model = model;
  }

  static async open(settings, part, more) {
    const server = new AgentServer(settings, await Model.start(part), more);
    await server.start();
    return server;
  }

  get model() {
    return this.#model;
  }

  // Carries a task out: the run's result.
  async run(task) {
    const answer = await fetch(new URL('/api/agent/run', this.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${this.keys.agent}`, 'content-type': 'application/json' },
      body: JSON.stringify({ task }),
    });
    const result = await answer.json();
    if (result.stop_reason === 'completed') return result;
    throw new Error(`the run did not complete: ${JSON.stringify(result).slice(0, 500)}`);
  }

  async shut() {
    this.#model.stop();
    await super.shut();
  }
}
