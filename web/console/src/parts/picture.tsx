// A picture that needs the key to be read: it is fetched, then drawn.

import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useApp } from '../app_context';
import { explainError } from '../api';

/** Draws onto the canvas, in the size of the picture. */
export async function drawPicture(canvas: HTMLCanvasElement, picture: Blob): Promise<void> {
  const bitmap = await createImageBitmap(picture);
  if (canvas.width !== bitmap.width) canvas.width = bitmap.width;
  if (canvas.height !== bitmap.height) canvas.height = bitmap.height;
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0);
  bitmap.close();
}

export function ArtifactPicture({ workflow, id, label }: { workflow: string; id: string; label: string }): JSX.Element {
  const { api } = useApp();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [why, setWhy] = useState('Loading the picture…');
  useEffect(() => {
    const stopper = new AbortController();
    setWhy('Loading the picture…');
    api.artifact(workflow, id, stopper.signal)
      .then((blob) => (canvas.current ? drawPicture(canvas.current, blob) : undefined))
      .then(() => setWhy(''), (error: unknown) => !stopper.signal.aborted && setWhy(`No picture. ${explainError(error)}`));
    return () => stopper.abort();
  }, [api, workflow, id]);
  return (
    <figure class="picture">
      <canvas ref={canvas} role="img" aria-label={label} hidden={why !== ''} />
      <figcaption class="muted">{why || label}</figcaption>
    </figure>
  );
}
