// What a model is handed and says in the course of a task, in tokens. The context sum is what a model without
// a prompt cache reads: at every call, everything so far.

import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

export class Transcript {
  calls = 0;
  callTokens = 0;
  resultTokens = 0;
  contextSum = 0;

  add(call, result) {
    this.calls += 1;
    this.callTokens += countTokens(call);
    this.resultTokens += countTokens(result);
    this.contextSum += this.callTokens + this.resultTokens;
  }
}
