/** A JSON answer that is text already; it is sent unread, so that a large one does not hold the event loop. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
