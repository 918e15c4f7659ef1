# SPDX-License-Identifier: Apache-2.0
"""Graphs cut by METIS: credits and pauses, one class and three, latencies of many steps, ranks without a node."""

from rank_case import MANY_RANKS, RankCase

PFC = "fabric.switch={flow_control: pfc, arbitration: fifo, shared_buffer: 16 MiB, pfc: {xoff: 60 KB, xon: 40 KB}}"
# Paused before anything can have arrived at most queues, and after 0.7 of a step more.
EAGER_PFC = ("fabric.switch={flow_control: pfc, arbitration: round_robin, shared_buffer: 16 MiB, "
             "pfc: {xoff: 9 KB, xon: 8 KB, response: 350 ns}}")
STRICT = "fabric.class_arbitration=strict"
NAMES = "fabric.classes=[{name: control}, {name: bulk}, {name: storage}]"   # without weights
ACKNOWLEDGEMENTS = "endpoint.acknowledgements=shared"


class DecksOfInputs(RankCase):
    def test_parking_lot_with_pauses(self):
        self.assert_same_everywhere("flow_control/parking_lot_pfc.yaml", "run.time_limit=600us")

    def test_parking_lot_with_credits(self):
        self.assert_same_everywhere("flow_control/parking_lot_credit.yaml", "run.time_limit=600us", ACKNOWLEDGEMENTS,
                                    ranks=(3,))

    def test_victim(self):
        self.assert_same_everywhere("flow_control/victim_pfc.yaml", "run.time_limit=600us")

    def test_tandem_queues(self):
        self.assert_same_everywhere("flow_control/tandem_queues.yaml", "run.time_limit=90us", ranks=(4,))

    def test_credit_loop(self):
        self.assert_same_everywhere("flow_control/credit_loop.yaml", "run.time_limit=400us", ranks=(2,))

    def test_two_classes(self):
        self.assert_same_everywhere("flow_control/two_classes_credit.yaml", "run.time_limit=1ms", ranks=(3,))


class MixedGraph(RankCase):
    deck_name = "mixed_graph.yaml"

    def test_credits(self):
        self.assert_same_everywhere(self.deck_name, ranks=MANY_RANKS)

    def test_credits_in_order_of_arrival(self):
        self.assert_same_everywhere(self.deck_name, "fabric.switch.arbitration=fifo", ACKNOWLEDGEMENTS, ranks=(2, 7))

    def test_pauses(self):
        self.assert_same_everywhere(self.deck_name, PFC, STRICT, NAMES, ACKNOWLEDGEMENTS)

    def test_pauses_in_turns(self):
        self.assert_same_everywhere(self.deck_name, EAGER_PFC, ranks=(4,))
